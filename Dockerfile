# The command in a small image:  docker build -t pathcount . && docker run -v "$PWD:/data" pathcount graph.txt --length 8
FROM debian:bookworm AS build
COPY . /source
RUN apt-get update && apt-get install -y --no-install-recommends gcc make pkg-config dpkg-dev libc6-dev libgmp-dev libarchive-dev libdeflate-dev libzstd-dev libjansson-dev nettle-dev
RUN make -C /source NVCC= deb

FROM debian:bookworm-slim
RUN --mount=from=build,source=/source/build/deb,target=/debs apt-get update && apt-get install -y /debs/libpathcount1*.deb /debs/pathcount_*.deb
WORKDIR /data
ENTRYPOINT ["pathcount"]
