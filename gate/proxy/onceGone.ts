import type { ServerResponse } from 'node:http'

/**
 * Calls back once when the response is complete, or when its caller has left. Before Node 24, a response that waits behind
 * another one on the same connection learns of the second only from the connection.
 *
 * @returns A function that stops waiting.
 */
export function onceGone(res: ServerResponse, callback: () => void): () => void {
  const { socket } = res.req
  const stop = () => {
    res.off('close', gone)
    socket.off('close', gone)
  }
  const gone = () => {
    stop()
    callback()
  }
  res.on('close', gone)
  // Any number of requests may wait on one connection.
  socket.setMaxListeners(0)
  socket.on('close', gone)
  return stop
}
