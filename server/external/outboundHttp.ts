import { type LookupAddress, lookup as resolveHost } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from '@svc/core/url/isPrivateAddress.ts'

/** Most bytes of an answer that are read. Source: faults.md row 17. */
const MAX_ANSWER_BYTES = 64 * 1024

type OutboundAnswer = { status: number; body: string }

/** Posts JSON to an address that somebody else wrote down. */
export type PostJson = (url: string, body: object) => Promise<OutboundAnswer>

/**
 * The one way out to addresses that users register.
 *
 * The name is resolved by us and the connection goes to the very address that was judged, so that a second look-up
 * cannot lead elsewhere (DNS rebinding). Redirects are not followed, time and size are bounded, no connection is kept.
 *
 * @throws Error for a refused address, a time-out, an answer that is too long or any failure of the connection.
 */
export function createPostJson(options: { allowPrivate: boolean; timeoutMs: number }): PostJson {
  return (url, body) =>
    new Promise((resolve, reject) => {
      const target = new URL(url)
      const host = target.hostname.replace(/^\[|\]$/g, '')
      if (!options.allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
        reject(new Error('the address is not public'))
        return
      }
      const payload = JSON.stringify(body)
      const send = target.protocol === 'https:' ? requestHttps : requestHttp
      const outgoing = send(target, {
        method: 'POST',
        agent: false,
        lookup: guardedLookup(options.allowPrivate),
        signal: AbortSignal.timeout(options.timeoutMs),
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(payload),
          Accept: 'application/json',
        },
      })
      outgoing.on('error', reject)
      collectAnswer(outgoing).then(resolve, reject)
      outgoing.end(payload)
    })
}

function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolveHost(hostname, { ...lookupOptions, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 4)
      const allowed = addresses.filter(({ address }) => allowPrivate || !isPrivateAddress(address))
      const first = allowed[0]
      if (!first) return callback(new Error('the address is not public'), '', 4)
      if (lookupOptions.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }
}

function collectAnswer(outgoing: ClientRequest): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MAX_ANSWER_BYTES) outgoing.destroy(new Error('the answer is too long'))
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      )
    })
  })
}
