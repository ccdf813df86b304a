import { buildPeerResponse } from './buildPeerResponse.ts'
import { servePeer } from './servePeer.ts'

/** Only node:http, with JSON in and out: the limit of the runtime itself. */
await servePeer(() => {
  return (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString())
      const answer = Buffer.from(JSON.stringify(buildPeerResponse()))
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      res.end(answer)
    })
  }
})
