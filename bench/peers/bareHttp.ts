import { peerAnswer } from './peerAnswer.ts'
import { servePeer } from './servePeer.ts'

/** node:http alone, JSON in and out: what the runtime itself allows. */
await servePeer(() => {
  return (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString())
      const answer = Buffer.from(JSON.stringify(peerAnswer()))
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      res.end(answer)
    })
  }
})
