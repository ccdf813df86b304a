import { createServer, type RequestListener } from 'node:http'

/**
 * Runs a peer on the port and folder in its arguments, and prints the same line as the service when it is ready.
 */
export async function servePeer(
  listenerFor: (folder: string) => RequestListener | Promise<RequestListener>,
): Promise<void> {
  const [port, folder] = process.argv.slice(2)
  if (port === undefined || folder === undefined) throw new Error('usage: <peer>.ts <port> <folder>')
  const listener = await listenerFor(folder)
  createServer(listener).listen(Number(port), '127.0.0.1', () =>
    console.log(`ready http://127.0.0.1:${port}`),
  )
  process.once('SIGTERM', () => process.exit(0))
}
