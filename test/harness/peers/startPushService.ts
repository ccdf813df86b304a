import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { listen } from './listen.ts'

/** A notification as the browser of its reader sees it, with the headers that its push service saw. */
type ReceivedPush = { path: string; headers: IncomingHttpHeaders; bytes: Buffer; message: unknown }

export type PushService = Awaited<ReturnType<typeof startPushService>>

/** Starts a push service on 127.0.0.1, and a browser that decrypts what is sent to it. Source: RFC 8030; RFC 8291. */
export async function startPushService() {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const received: ReceivedPush[] = []
  const statuses: number[] = []
  const server = await listen(async (req, res) => {
    const bytes = Buffer.concat(await req.toArray())
    received.push({
      ...{ path: req.url ?? '', headers: req.headers, bytes },
      message: JSON.parse(decrypt(bytes, browser, auth)),
    })
    res.writeHead(statuses.shift() ?? 201).end()
  })
  return {
    url: server.url,
    received,
    /** Statuses of the next responses; 201 after them. */
    statuses,
    /** The subscription of a browser, by the path under which it receives. */
    subscription: (path = '/browser') => ({
      endpoint: server.url + path,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    }),
    stop: server.stop,
  }
}

const SALT_BYTES = 16
const KEY_AT = 21

/** Decrypts one record. Source: RFC 8188 §2; RFC 8291 §3.4. */
function decrypt(bytes: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = bytes.subarray(0, SALT_BYTES)
  const cipherAt = KEY_AT + (bytes[KEY_AT - 1] ?? 0)
  const sender = bytes.subarray(KEY_AT, cipherAt)
  const derive = (secret: Buffer, salted: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salted, info, length))
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
  const secret = derive(browser.computeSecret(sender), auth, keyInfo, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(bytes.subarray(-16))
  const padded = Buffer.concat([decipher.update(bytes.subarray(cipherAt, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}
