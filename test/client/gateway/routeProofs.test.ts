import { createGateway, type EndpointRoute, type RequestFacts, type Verified } from '@svc/client'
import { expect } from 'chai'
import { GRANT, openFakeService } from './openFakeService.ts'

const ROUTES: readonly EndpointRoute[] = [
  { pattern: '/orders/**', method: 'POST', minAccessLevel: 'standard', minIdentityProof: 'signature' },
  { pattern: '/basket', minAccessLevel: 'standard', minIdentityProof: 'token' },
]

type Route = RequestFacts['route']

describe('a route that requires an identity proof', () => {
  /** Asks for a route when the service says that a request proves the given grade. */
  async function ask(identityProof: string | undefined, target: string, method = 'POST', route?: Route) {
    const service = await openFakeService({ ...GRANT, identityProof })
    const gateway = createGateway({ ...service.options, routes: ROUTES })
    const headers = { 'x-svc-id': GRANT.agent.svcId }
    const outcome = await gateway.verify({ method, target, route, headers })
    await service.stop()
    return outcome
  }

  it('is reached by a request that proves as much or more', async () => {
    for (const [grade, target] of [
      ['signature', '/orders/1'],
      ['token', '/basket'],
      ['signature', '/basket'],
    ] as const) {
      const outcome = await ask(grade, target)
      expect(outcome.passes && (outcome.verified as Verified).identityProof, target).to.equal(grade)
    }
  })

  it('refuses the others, and says how to prove more', async () => {
    for (const [grade, target, required] of [
      [undefined, '/orders/1', 'signature'],
      ['none', '/orders/1', 'signature'],
      ['token', '/orders/1', 'signature'],
      ['challenge', '/basket', 'token'],
      ['stronger', '/basket', 'token'],
    ] as const) {
      const outcome = await ask(grade, target)
      if (outcome.passes) throw new Error(`${grade} passed at ${target}`)
      const { status, body } = outcome.refusal
      expect(status).to.equal(403)
      expect(body).to.include({ code: 'identity_proof_too_weak', minIdentityProof: required })
      expect(body.identityProof).to.equal(grade ?? 'none')
      expect(body.guidance).to.include('Sign the request with a key of the agent').and.include('X-Svc-Proof')
      expect(String(body.guidance).includes('X-Svc-Token')).to.equal(required === 'token')
    }
  })

  it('does not concern other routes', async () => {
    expect((await ask('none', '/orders/1', 'GET')).passes).to.equal(true)
  })

  it('is the one that the facts name, if every request has the same method and target', async () => {
    const order = { method: 'POST', path: '/orders/1' }
    expect((await ask('token', '/mcp', 'POST', order)).passes).to.equal(false)
    expect((await ask('token', '/orders/1', 'POST', { method: 'GET', path: '/orders/1' })).passes).to.equal(
      true,
    )
  })

  it('can be checked by an application itself', async () => {
    const service = await openFakeService()
    const reaches = createGateway(service.options).check(ROUTES)
    await service.stop()
    expect(reaches('POST', '/orders/1', 'full', 'signature')).to.equal(true)
    expect(reaches('POST', '/orders/1', 'full')).to.equal(false)
    expect(reaches('POST', '/orders/1', 'none', 'signature')).to.equal(false)
  })
})
