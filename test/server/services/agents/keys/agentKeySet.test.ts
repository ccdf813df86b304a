import { createPublicKey } from 'node:crypto'
import { INTENT_TYPE } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import { calculateJwkThumbprint, createRemoteJWKSet, type JWK, jwtVerify } from 'jose'
import { readKeys } from '../../../../../server/external/webBotAuth/keyDirectories.ts'
import { createAgentKey } from '../../../../builders/createAgentKey.ts'
import { signIntent } from '../../../../builders/signAsAgent.ts'
import { suspendInDatabase } from '../../../../builders/suspendInDatabase.ts'
import type { Owner } from '../../approvals/openOwnerScene.ts'
import { type KeyScene, openKeyScene } from './openKeyScene.ts'

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

describe('GET /.well-known/agents/:svcId/jwks.json', () => {
  let scene: KeyScene
  let ada: Owner
  let agentId: string
  const keys = { Ed25519: createAgentKey('Ed25519'), 'P-256': createAgentKey('P-256') }

  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
    agentId = await ada.agent()
    for (const { jwk } of Object.values(keys)) await scene.added(ada, agentId, jwk)
  })
  after(() => scene?.service.stop())

  const read = (id = agentId, accept = '*/*') =>
    scene.call('GET', `/.well-known/agents/${id}/jwks.json`, { headers: { accept } })

  it('returns the active keys as a JWK set that others can use', async () => {
    const revoked = await scene.added(ada, agentId)
    await scene.revoke(ada, agentId, revoked)
    const { status, headers, body } = await read()
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/jwk-set+json'])
    const expected = [
      { kid: keys.Ed25519.kid, ...keys.Ed25519.jwk, use: 'sig', alg: 'EdDSA' },
      { kid: keys['P-256'].kid, ...keys['P-256'].jwk, use: 'sig', alg: 'ES256' },
    ]
    expect(body).to.deep.equal({ keys: expected })
    for (const key of body.keys as (JWK & { kid: string })[]) {
      expect(createPublicKey({ key, format: 'jwk' }).type).to.equal('public')
      expect(await calculateJwkThumbprint(key)).to.equal(key.kid)
    }
  })

  it('lets other software verify the agent’s intent proofs', async () => {
    const published = createRemoteJWKSet(new URL(`${scene.baseUrl}/.well-known/agents/${agentId}/jwks.json`))
    const claims = { iss: agentId, aud: scene.svceId, amount: 5 }
    for (const key of Object.values(keys)) {
      const verified = await jwtVerify(signIntent(key, claims), published, { typ: INTENT_TYPE })
      expect([verified.payload, verified.protectedHeader.kid]).to.deep.equal([claims, key.kid])
    }
    const foreign = signIntent(createAgentKey(), claims, { kid: keys.Ed25519.kid })
    const refused = await jwtVerify(foreign, published).catch((error: Error) => error.name)
    expect(refused).to.equal('JWSSignatureVerificationFailed')
  })

  it('may be read by pages of any origin, and cached for a minute', async () => {
    const { headers } = await read()
    expect(headers.get('access-control-allow-origin')).to.equal('*')
    expect(headers.get('cache-control')).to.equal('public, max-age=60')
    expect(headers.get('vary')).to.equal('Accept')
  })

  it('returns a directory for HTTP message signatures to clients that ask for it', async () => {
    const { headers, body } = await read(agentId, `${DIRECTORY_TYPE}, application/json;q=0.5`)
    expect(headers.get('content-type')).to.equal(DIRECTORY_TYPE)
    const algorithms = body.keys.map(({ alg }: { alg: string }) => alg)
    expect(algorithms).to.deep.equal(['ed25519', 'ecdsa-p256-sha256'])
    const found = await readKeys(JSON.stringify(body))
    expect([...found.keys()]).to.deep.equal(Object.values(keys).map(({ kid }) => kid))
  })

  it('omits a key as soon as it is revoked', async () => {
    const another = await ada.agent()
    const kid = await scene.added(ada, another)
    expect((await read(another)).body.keys.length).to.equal(1)
    await scene.revoke(ada, another, kid)
    expect((await read(another)).body).to.deep.equal({ keys: [] })
  })

  it('is empty while an agent is not active', async () => {
    await ada.call('POST', `/api/agents/${agentId}/suspend`)
    expect((await read()).body).to.deep.equal({ keys: [] })
    await ada.call('POST', `/api/agents/${agentId}/resume`)
    expect((await read()).body.keys.length).to.equal(2)
  })

  it('is empty in both forms while an operator has suspended the owner', async () => {
    const bea = await scene.owner()
    const another = await bea.agent()
    await scene.added(bea, another)
    await suspendInDatabase({ rows: scene.store }, bea.developerId)
    for (const accept of ['*/*', DIRECTORY_TYPE]) {
      expect((await read(another, accept)).body).to.deep.equal({ keys: [] })
    }
    await scene.store('DELETE FROM interventions')
    expect((await read(another)).body.keys.length).to.equal(1)
  })

  it('knows only agents', async () => {
    const { status, body } = await read('SVC-0000000000000000000009')
    expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
  })
})
