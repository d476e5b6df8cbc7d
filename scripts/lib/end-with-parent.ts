// Preloaded into the children of `npm start`: when the channel to the parent breaks, the parent is gone,
// and a server left behind would hold the port and the lock on the data folder.
if (process.channel) {
  process.once('disconnect', () => {
    // A program that listens for this itself knows better how to end.
    if (process.listenerCount('disconnect') === 0) process.kill(process.pid, 'SIGTERM')
  })
  // The watch alone must not keep a finished program alive.
  process.channel.unref()
}
