import { connect } from 'node:net'

/** Sends a text as it is to a server, and returns everything that comes back until the connection ends. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('close', () => resolve(answer)).once('error', reject)
  })
}
