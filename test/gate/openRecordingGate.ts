import { openGate } from './openGate.ts'

/** A request that reached the server: its headers as received, and how many bytes its body had. */
type Seen = { method: string; url: string; rawHeaders: string[]; length: number }

/** Opens a gate before a server that lists the requests which reach it, and sets two cookies. */
export async function openRecordingGate(settings: Parameters<typeof openGate>[1] = {}) {
  const seen: Seen[] = []
  const opened = await openGate(async (req, res) => {
    let length = 0
    for await (const chunk of req) length += chunk.length
    seen.push({ method: req.method ?? '', url: req.url ?? '', rawHeaders: req.rawHeaders, length })
    res.setHeader('Set-Cookie', ['a=1', 'b=2'])
    res.end(`got ${length}`)
  }, settings)
  return {
    ...opened,
    seen,
    /** The values of a header of the first request, by lower-case name. */
    headerOf(name: string): (string | undefined)[] {
      const raw = seen[0]?.rawHeaders ?? []
      return raw.flatMap((one, at) => (at % 2 === 0 && one.toLowerCase() === name ? [raw[at + 1]] : []))
    },
  }
}
