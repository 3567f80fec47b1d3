// Package collective knows all-reduces: along a ring, by halving and doubling, over trees,
// inside servers first and then between them, and by shards that are sized to the bandwidth of each node. It writes
// each as steps of transfers and checks that they average exactly. Package cost prices them.
package collective
