import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export type StartedWitness = Awaited<ReturnType<typeof startWitness>>

type Tree = { size: number; root: Buffer }
type Note = Tree & { origin: string; text: string; lines: string[] }

/** Prefix of a SubjectPublicKeyInfo structure of an Ed25519 key (RFC 8410); the 32 bytes follow. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Starts a witness on 127.0.0.1. It implements the protocol without our code, remembers the newest checkpoint of each log,
 * and cosigns only what extends it.
 *
 * Source: C2SP tlog-witness; C2SP tlog-cosignature; RFC 6962 §2.1.2.
 */
export async function startWitness({ name = 'witness.example/w1' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const typedKey = Buffer.concat([Buffer.from([4]), raw])
  const keyId = createHash('sha256').update(`${name}\n`).update(typedKey).digest().subarray(0, 4)
  const logs = new Map<string, { key: KeyObject; id: string }>()
  const newest = new Map<string, Tree>()
  const submissions: { oldSize: number; proof: number; note: string; status: number }[] = []
  const overrides: ((res: ServerResponse) => void)[] = []
  let clock = () => Date.now()

  const cosign = (text: string): string => {
    const seconds = BigInt(Math.floor(clock() / 1000))
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(seconds)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey)
    return `— ${name} ${Buffer.concat([keyId, time, signature]).toString('base64')}\n`
  }

  const judge = (oldSize: number, proof: Buffer[], note: Note): { status: number; body: string } => {
    const log = logs.get(note.origin)
    if (log === undefined) return { status: 404, body: 'unknown log\n' }
    if (!isSigned(note, log)) return { status: 403, body: 'no signature of the log\n' }
    if (oldSize > note.size) return { status: 400, body: 'the old size is larger\n' }
    const last = newest.get(note.origin) ?? { size: 0, root: createHash('sha256').digest() }
    if (oldSize !== last.size) return { status: 409, body: `${last.size}\n` }
    if (!isExtension(last, note, proof)) return { status: 422, body: 'not consistent\n' }
    newest.set(note.origin, { size: note.size, root: note.root })
    return { status: 200, body: cosign(note.text) }
  }

  const server = await listen(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString()
    const override = overrides.shift()
    if (override !== undefined) return override(res)
    const [old = '', ...lines] = body.slice(0, body.indexOf('\n\n')).split('\n')
    const note = readNote(body.slice(body.indexOf('\n\n') + 2))
    const oldSize = Number(/^old (0|[1-9]\d*)$/.exec(old)?.[1] ?? Number.NaN)
    if (req.method !== 'POST' || req.url !== '/add-checkpoint' || note === null || !(oldSize >= 0)) {
      return res.writeHead(400).end()
    }
    const proof = lines.map((line) => Buffer.from(line, 'base64'))
    const { status, body: answer } = judge(oldSize, proof, note)
    submissions.push({ oldSize, proof: lines.length, note: body.slice(body.indexOf('\n\n') + 2), status })
    res.writeHead(status, status === 409 ? { 'Content-Type': 'text/x.tlog.size' } : {}).end(answer)
  })
  const verifierKey = `${name}+${keyId.toString('hex')}+${typedKey.toString('base64')}`
  return {
    url: server.url,
    verifierKey,
    /** Its entry in `WITNESSES`. */
    setting: `${verifierKey} ${server.url}`,
    submissions,
    /** Signs the text of a checkpoint, whatever it says. */
    cosign,
    /** Responses given in place of the next ones. */
    overrides,
    /** Lets it cosign the log of a verifier key. */
    addLog(logKey: string): void {
      const [origin = '', id = '', typed = ''] = logKey.split(/\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/)
      const key = Buffer.concat([SPKI, Buffer.from(typed, 'base64').subarray(1)])
      logs.set(origin, { id, key: createPublicKey({ key, format: 'der', type: 'spki' }) })
    },
    setClock(now: () => number): void {
      clock = now
    },
    stop: server.stop,
  }
}

function readNote(note: string): Note | null {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const [origin, size, root, ...rest] = text.split('\n')
  if (origin === undefined || size === undefined || root === undefined || rest.length !== 1) return null
  return {
    origin,
    text,
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    lines: note.slice(end + 1).split('\n'),
  }
}

function isSigned({ origin, text, lines }: Note, { key, id }: { key: KeyObject; id: string }): boolean {
  return lines.some((line) => {
    const [dash, signer, encoded = ''] = line.split(' ')
    const blob = Buffer.from(encoded, 'base64')
    if (dash !== '—' || signer !== origin || blob.subarray(0, 4).toString('hex') !== id) return false
    return verify(null, Buffer.from(text), key, blob.subarray(4))
  })
}

/** Whether the proof leads from the earlier tree to the later one. */
function isExtension(from: Tree, to: Tree, proof: Buffer[]): boolean {
  if (from.size === 0) return proof.length === 0
  const path = [...proof]
  const take = () => path.pop() ?? Buffer.alloc(32)
  const join = (left: Buffer, right: Buffer) =>
    createHash('sha256').update('\x01').update(left).update(right).digest()
  const roots = (m: number, n: number, isOld: boolean): [Buffer, Buffer] => {
    if (m === n) {
      const hash = isOld ? from.root : take()
      return [hash, hash]
    }
    let k = 1
    while (k * 2 < n) k *= 2
    const sibling = take()
    if (m <= k) {
      const [before, after] = roots(m, k, isOld)
      return [before, join(after, sibling)]
    }
    const [before, after] = roots(m - k, n - k, false)
    return [join(sibling, before), join(sibling, after)]
  }
  const [before, after] = roots(from.size, to.size, true)
  return path.length === 0 && before.equals(from.root) && after.equals(to.root)
}
