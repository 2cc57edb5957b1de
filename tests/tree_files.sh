# Writes the path of three vertices in each format of networks: tree.gml and so on. Other scripts source this file.

printf 'graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ]
edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]\n' > tree.gml
cat > tree.graphml << 'END'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="undirected"><node id="0"/><node id="1"/><node id="2"/>
<edge source="0" target="1"/><edge source="1" target="2"/></graph></graphml>
END
printf '*Vertices 3\n1 "0"\n2 "1"\n3 "2"\n*Edges\n1 2\n2 3\n' > tree.net
printf '# 0\n1\n# 1\n2\n' > tree.lgl
printf '0 1\n1 2\n' > tree.ncol
printf 'DL n=3\nformat = edgelist1\nlabels:\n0 1 2\ndata:\n1 2\n2 1\n2 3\n3 2\n' > tree.dl
