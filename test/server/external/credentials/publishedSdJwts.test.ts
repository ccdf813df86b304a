import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { revealDisclosures } from '@svc/core/credentials/revealDisclosures.ts'
import { expect } from 'chai'
import { readJwk } from '../../../../server/external/credentials/didKeys.ts'
import { verifyJws } from '../../../../server/external/credentials/verifyJws.ts'

type Example = { name: string; presentation: string; payload: Record<string, unknown> }

/**
 * Presentations of RFC 9901 with the payloads that it prints for them. `readSdJwt` as a whole refuses them, because their
 * issuer has no DID.
 */
const { issuerKey, examples }: { issuerKey: object; examples: Example[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/standards/sdJwts.json'), 'utf8'),
)

describe('an SD-JWT of RFC 9901', () => {
  const isSignedBy = async (token: string, jwk: unknown) => {
    const [jws, key] = [parseCompactJws(token), readJwk(jwk)]
    if (jws === null || key === null) throw new Error('the example is unreadable')
    return verifyJws(jws, key)
  }

  for (const { name, presentation, payload } of examples) {
    const [token = '', ...parts] = presentation.split('~')
    const binding = parts.pop() ?? ''

    it(`has its issuer’s signature and the payload of ${name}`, async () => {
      expect(await isSignedBy(token, issuerKey)).to.equal(true)
      expect(revealDisclosures(parseCompactJws(token)?.payload ?? {}, parts)).to.deep.equal({
        ok: true,
        payload,
      })
    })

    if (binding === '') continue
    it(`is bound to its holder’s key as in ${name}`, async () => {
      const { jwk } = payload.cnf as { jwk: unknown }
      expect(await isSignedBy(binding, jwk)).to.equal(true)
      const presented = presentation.slice(0, presentation.lastIndexOf('~') + 1)
      expect(parseCompactJws(binding)?.payload).to.include({
        sd_hash: createHash('sha256').update(presented).digest('base64url'),
      })
    })
  }
})
