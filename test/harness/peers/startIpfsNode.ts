import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { listen } from './listen.ts'

/** What the node does with the next files: stores them, stores something else, or fails. */
type Mood = 'well' | 'lying' | 'out of order'

/** Starts an HTTP server that stores files as a Kubo node does for `/api/v0/add`, each as one raw block. */
export async function startIpfsNode() {
  const node = { kept: new Map<string, string>(), mood: 'well' as Mood, requests: 0 }
  const served = await listen(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString('utf8')
    const url = new URL(req.url ?? '', 'http://node')
    const isAdd = url.pathname === '/api/v0/add' && url.searchParams.get('raw-leaves') === 'true'
    node.requests += 1
    if (!isAdd || node.mood === 'out of order') {
      res.writeHead(500).end('{"Message":"out of order"}')
      return
    }
    const sent = /\r\n\r\n([\s\S]*?)\r\n--/.exec(body)?.[1] ?? ''
    const text = node.mood === 'lying' ? `${sent} ` : sent
    const cid = CID.createV1(raw.code, await sha256.digest(new TextEncoder().encode(text))).toString()
    node.kept.set(cid, text)
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(`${JSON.stringify({ Name: cid, Hash: cid, Size: String(text.length) })}\n`)
  })
  return Object.assign(node, { url: served.url, stop: served.stop })
}
