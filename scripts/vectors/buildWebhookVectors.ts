import { signWebhook } from '@svc/client/webhooks/signWebhook.ts'
import { CREATED } from './vectorValues.ts'

const SECRET = 'whsec_not-a-secret-0123456789'
const OLD_SECRET = 'whsec_not-a-secret-9876543210'
const BODY = '{"event":"verification.completed","data":{"note":"Grüße"}}'

type Changed = { body?: string; header?: string | null; secrets?: string[]; now?: number }

/**
 * Builds webhooks that a receiver accepts, or refuses for the given reason, with a tolerance of 300 seconds.
 *
 * `now` is in Unix seconds. Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function buildWebhookVectors(): object {
  const headerOf = (secret: string | string[], timestamp = CREATED) =>
    signWebhook({ rawBody: BODY, secret, timestamp })['X-Svc-Signature'] ?? ''
  const good = headerOf(SECRET)
  const cases: [name: string, reason: string | null, changed: Changed][] = [
    ['signed with the secret', null, {}],
    ['signed with both secrets during a rotation', null, { header: headerOf([OLD_SECRET, SECRET]) }],
    ['checked with both secrets during a rotation', null, { secrets: [OLD_SECRET, SECRET] }],
    ['an unknown scheme beside the known one', null, { header: `${good},v2=abc` }],
    ['300 seconds old', null, { now: CREATED + 300 }],
    ['301 seconds old', 'timestamp_out_of_tolerance', { now: CREATED + 301 }],
    ['from the future', 'timestamp_out_of_tolerance', { now: CREATED - 301 }],
    ['a changed body', 'signature_mismatch', { body: BODY.replace('Grüße', 'Grüsse') }],
    ['a changed time', 'signature_mismatch', { header: good.replace(`t=${CREATED}`, `t=${CREATED + 1}`) }],
    ['another secret', 'signature_mismatch', { secrets: [OLD_SECRET] }],
    ['no header', 'missing_header', { header: null }],
    ['no time', 'malformed_header', { header: good.replace(/^t=\d+,/, '') }],
    ['no signature', 'malformed_header', { header: `t=${CREATED}` }],
    [
      'a signature in upper case',
      'malformed_header',
      { header: good.replace(/v1=.*/, (text) => `v1=${text.slice(3).toUpperCase()}`) },
    ],
    ['no secret', 'missing_secret', { secrets: [] }],
  ]
  return {
    cases: cases.map(([name, reason, { body = BODY, header = good, secrets = [SECRET], now = CREATED }]) => ({
      ...{ name, body, headers: header === null ? {} : { 'X-Svc-Signature': header }, secrets, now, reason },
    })),
  }
}
