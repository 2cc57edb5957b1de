# Formula for Homebrew on Linux: brew install --build-from-source ./packages/homebrew/pathcount.rb
# `make dist` makes the archive; url and sha256 are those of a release.
class Pathcount < Formula
  desc "Exact counts of the paths of length k between the vertices of a graph"
  homepage "https://example.org/pathcount"
  url "file://#{ENV.fetch("PATHCOUNT_ARCHIVE", "/path/to/pathcount-0.2.0.tar.gz")}"
  sha256 ENV.fetch("PATHCOUNT_SHA256", "0" * 64)
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "gmp"
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on :linux
  depends_on "nettle"
  depends_on "zstd"

  def install
    system "make", "IGRAPH=", "CAIRO=", "NVCC=", "PREFIX=#{prefix}", "install"
  end

  test do
    (testpath/"triangle.txt").write "A B\nB C\nC A\n"
    assert_match "6", shell_output("#{bin}/pathcount triangle.txt --length 3 --trace")
  end
end
