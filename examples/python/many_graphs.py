"""Counts a collection of graphs on the workers of Dask or Ray; the rows become one table:

    python many_graphs.py dask LENGTH FILE ...
    python many_graphs.py ray LENGTH FILE ...

Each graph is sent to the cluster once, and every question about it refers to it there. A worker is a process with one thread,
and counts within the memory that it is given: a count that would need more is refused before it begins. Every number is
certified, as it is anywhere (certify=2); a wrong one raises pathcount.errors.CertificateError in place of a row.
"""

import sys

import pathcount


def row(name, graph, length, memory):
    """What is asked of one graph: runs on a worker."""
    keywords = {"threads": 1, "memory": memory, "certify": 2}
    total = pathcount.total(graph, length, **keywords)
    closed = pathcount.trace(graph, length, **keywords)
    # Text, because the numbers pass 64 bits and tables would round them.
    return {"graph": name, "vertices": len(graph), "length": length, "paths": str(total), "closed": str(closed)}


def with_dask(client, graphs, lengths, memory):
    """Rows by a dask.distributed.Client; graphs is a dict of pathcount.Graph by name, memory the bytes for a count."""
    jobs = []
    for name, graph in graphs.items():
        held = client.scatter(graph, hash=False)
        jobs += [client.submit(row, name, held, length, memory, pure=False) for length in lengths]
    return client.gather(jobs)


def with_ray(graphs, lengths, memory):
    """Rows by Ray, which is initialised; the same arguments. Ray reserves the memory for each task, too."""
    import ray

    job = ray.remote(num_cpus=1, memory=memory)(row)
    jobs = []
    for name, graph in graphs.items():
        held = ray.put(graph)
        jobs += [job.remote(name, held, length, memory) for length in lengths]
    return ray.get(jobs)


def main(engine, length, paths):
    import pandas

    graphs = {path: pathcount.Graph(path) for path in paths}
    memory = 2**30
    if engine == "dask":
        from dask.distributed import Client, LocalCluster

        with LocalCluster(threads_per_worker=1) as cluster, Client(cluster) as client:
            rows = with_dask(client, graphs, [int(length)], memory)
    else:
        import ray

        ray.init()
        rows = with_ray(graphs, [int(length)], memory)
        ray.shutdown()
    print(pandas.DataFrame(rows).to_string(index=False))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
