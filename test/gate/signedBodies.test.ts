import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { expect } from 'chai'
import { openGate } from './openGate.ts'
import { AGENT, DENIAL } from './openRegistry.ts'

const COVERING = {
  'x-svc-id': AGENT,
  signature: 'svc=:AA==:',
  'signature-input': 'svc=("content-digest")',
  'content-digest': `sha-256=:${createHash('sha256').update('abcd').digest('base64')}:`,
}

describe('svc-gate with signed bodies', () => {
  let opened: Awaited<ReturnType<typeof openGate>>

  async function open(settings: Parameters<typeof openGate>[1]): Promise<void> {
    opened = await openGate(async (req, res) => void res.end(await readText(req)), settings)
  }
  afterEach(() => opened?.stop())

  /** Sends a part of a body, and returns the status and code of the response. */
  async function post(part: string, length: number, headers: object = COVERING) {
    const sent = request(opened.url, { method: 'POST', headers: { ...headers, 'content-length': length } })
    sent.on('error', () => undefined).write(part)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await readText(response)
    sent.destroy()
    return [response.statusCode, text.startsWith('{') ? JSON.parse(text).code : text]
  }

  it('refuses one that does not arrive in time, before the registry is asked', async () => {
    await open({ signedBodies: { waitMs: 1, bytesMax: 100 } })
    expect(await post('abc', 4)).to.deep.equal([408, 'content_digest_unverifiable'])
    expect(opened.asked).to.deep.equal([])
  })

  it('refuses one while others leave no room for it', async () => {
    await open({ signedBodies: { waitMs: 60_000, bytesMax: 4 } })
    expect(await post('abcde', 5)).to.deep.equal([503, 'verification_unavailable'])
    expect(opened.asked).to.deep.equal([])
    // Whether a body passes or not, the next one has its room.
    const otherDigest = { ...COVERING, 'content-digest': 'sha-256=:AA==:' }
    for (let times = 0; times < 2; times += 1) {
      expect(await post('abcd', 4)).to.deep.equal([200, 'abcd'])
      expect(await post('abcd', 4, otherDigest)).to.deep.equal([403, 'content_digest_mismatch'])
    }
  })

  it('reads none on which no signature depends, and has the registry decide at once', async () => {
    await open({ answer: () => DENIAL, signedBodies: { waitMs: 60_000, bytesMax: 0 } })
    for (const input of ['svc=()', 'svc=("@method")', 'svc=("content-']) {
      const headers = { ...COVERING, 'signature-input': input }
      expect(await post('abc', 4, headers), input).to.deep.equal([403, 'access_denied'])
      expect(opened.asked.pop()?.callerMetadata).to.deep.include({
        ...{ signature: 'svc=:AA==:', signatureInput: input, contentDigest: 'unknown' },
      })
    }
  })
})
