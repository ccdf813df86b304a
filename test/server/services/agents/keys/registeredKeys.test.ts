import { randomUUID } from 'node:crypto'
import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../../../builders/createAgentKey.ts'
import { type Developer, openRequests, type Requests } from '../../registrationRequests/openRequests.ts'
import { type KeyScene, openKeyScene } from './openKeyScene.ts'

const PATH = '/api/agents/register'

describe('keys in a registration', () => {
  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const twoKeys = () => [createAgentKey('Ed25519'), createAgentKey('P-256')] as const
  const register = (keys: readonly unknown[]) => ({ name: 'Shopper', keys })

  describe('that the owner signs', () => {
    let scene: KeyScene

    before(async () => {
      scene = await openKeyScene()
    })
    after(() => scene?.service.stop())

    it('are the agent’s from the start, and are recorded with it', async () => {
      const ada = await scene.owner()
      const account = await scene.wallet(ada)
      const keys = twoKeys()
      const { body } = await scene.signed(account, 'POST', PATH, register(keys.map(({ jwk }) => jwk)))
      const { svcId } = body.data.agent
      const kids = keys.map(({ kid }) => kid)
      expect((await scene.listed(ada, svcId)).map(({ kid }) => kid)).to.deep.equal(kids)
      expect(await scene.failures(svcId)).to.deep.equal(['agent.proof'])
      const [event] = await scene.events(ada, svcId, 'agent.registered')
      expect(event.eventData.kids).to.deep.equal(kids)
    })

    it('register nothing if one of them belongs to an agent of another owner', async () => {
      const [ada, eve] = [await scene.owner(), await scene.owner()]
      const { jwk } = createAgentKey()
      await scene.added(ada, await ada.agent(), jwk)
      const account = await scene.wallet(eve)
      const refused = await scene.signed(account, 'POST', PATH, register([createAgentKey().jwk, jwk]))
      expect(outcome(refused)).to.deep.equal([409, 'KEY_TAKEN'])
      expect((await eve.call('GET', '/api/agents')).body.items).to.deep.equal([])
    })

    it('move to the agent if they are proven, from one of another owner that only named them', async () => {
      const [ada, eve] = [await scene.owner(), await scene.owner()]
      const [proven, other] = twoKeys()
      const occupier = await eve.agent()
      await scene.added(eve, occupier, proven.jwk)
      const [account, nonce] = [await scene.wallet(ada), randomUUID()]
      const svcId = deriveAgentIdentifier(account.address, nonce)
      const keyProofs = [scene.proveKey(proven, svcId)]
      const body = { ...register([proven.jwk, other.jwk]), keyProofs }
      const registered = await scene.signed(account, 'POST', PATH, body, nonce)
      expect(registered.status, JSON.stringify(registered.body)).to.equal(201)
      expect(registered.body.data.agent.svcId).to.equal(svcId)
      const keys = (await ada.call('GET', scene.pathOf(svcId))).body.items
      expect(
        keys.map(({ kid, status, provenAt }: Record<string, unknown>) => [kid, status, provenAt !== null]),
      ).to.deep.equal([
        [proven.kid, 'active', true],
        [other.kid, 'active', false],
      ])
      expect((await scene.listed(eve, occupier)).map(({ status }) => status)).to.deep.equal(['revoked'])
      const alerts = (await eve.call('GET', '/api/alerts')).body.items
      expect(alerts.map(({ code }: { code: string }) => code)).to.include('agent.key_lost')
    })

    it('register nothing if another owner has proven them, too', async () => {
      const [ada, eve] = [await scene.owner(), await scene.owner()]
      const [key, holder] = [createAgentKey(), await eve.agent()]
      await scene.add(eve, holder, key.jwk, { proof: scene.proveKey(key, holder) })
      const [account, nonce] = [await scene.wallet(ada), randomUUID()]
      const svcId = deriveAgentIdentifier(account.address, nonce)
      const body = { ...register([key.jwk]), keyProofs: [scene.proveKey(key, svcId)] }
      expect(outcome(await scene.signed(account, 'POST', PATH, body, nonce))).to.deep.equal([
        409,
        'KEY_TAKEN',
      ])
    })

    it('register nothing with a proof that is for another agent or service, late, or of no key of the agent', async () => {
      const [key, account] = [createAgentKey(), await scene.wallet(await scene.owner())]
      const iat = Math.floor(scene.time.now / 1000) - 400
      for (const prove of [
        () => scene.proveKey(key, deriveAgentIdentifier(account.address, randomUUID())),
        (svcId: string) => scene.proveKey(key, svcId, { aud: 'https://other.example' }),
        (svcId: string) => scene.proveKey(key, svcId, { iat, exp: iat + 300 }),
        (svcId: string) => scene.proveKey(createAgentKey(), svcId),
        (svcId: string) => scene.proveKey(createAgentKey(), svcId, {}, { kid: key.kid }),
        () => 'no proof',
      ]) {
        const nonce = randomUUID()
        const svcId = deriveAgentIdentifier(account.address, nonce)
        const body = { ...register([key.jwk]), keyProofs: [scene.proveKey(key, svcId), prove(svcId)] }
        const refused = await scene.signed(account, 'POST', PATH, body, nonce)
        expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(refused.body.errors[0]).to.include({ pointer: '/keyProofs/1', code: 'invalid_proof' })
      }
    })

    it('register nothing with proofs for an identifier that strangers could compute', async () => {
      const [key, nonce] = [createAgentKey(), 'short']
      const account = await scene.wallet(await scene.owner())
      const keyProofs = [scene.proveKey(key, deriveAgentIdentifier(account.address, nonce))]
      const refused = await scene.signed(account, 'POST', PATH, { ...register([key.jwk]), keyProofs }, nonce)
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    for (const [what, keys, pointer] of [
      ['a private key', [createAgentKey().privateJwk], '/keys/0/d'],
      [
        'a key twice',
        Array.from({ length: 2 }, () => createAgentKey().jwk).fill(createAgentKey().jwk),
        '/keys',
      ],
      ['more than 20 keys', Array.from({ length: 21 }, () => createAgentKey().jwk), '/keys'],
    ] as const) {
      it(`register nothing with ${what}`, async () => {
        const account = await scene.wallet(await scene.owner())
        const refused = await scene.signed(account, 'POST', PATH, register(keys))
        expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(refused.body.errors[0].pointer).to.equal(pointer)
      })
    }
  })

  describe('by API key', () => {
    let scene: Requests
    let ada: Developer

    before(async () => {
      scene = await openRequests()
      ada = await scene.developer()
    })
    after(() => scene?.service.stop())

    it('are shown to the owner by thumbprint before the approval, and are the agent’s after it', async () => {
      const keys = twoKeys()
      const requestId = await ada.asks(register(keys.map(({ jwk }) => jwk)))
      const shown = keys.map(({ kid, jwk }) => ({ kid, kty: jwk.kty, crv: jwk.crv }))
      expect((await ada.read(requestId)).registration.keys).to.deep.equal(shown)
      expect((await ada.approveRequest(requestId)).status).to.equal(200)
      const { svcId } = await scene.poll(requestId)
      const listed = await ada.call('GET', `/api/agents/${svcId}/keys`)
      const kids = listed.body.items.map(({ kid }: { kid: string }) => kid)
      expect(kids).to.deep.equal(keys.map(({ kid }) => kid))
    })

    it('cannot be proven, because the owner approves later', async () => {
      const key = createAgentKey()
      const refused = await ada.register({ ...register([key.jwk]), keyProofs: ['eyJ.eyJ.AA'] })
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors[0]).to.include({ pointer: '/keyProofs', code: 'not_applicable' })
    })

    it('are shown as none in a request from before there were keys', async () => {
      const requestId = await ada.asks({ name: 'Shopper' })
      const [stored] = (await scene.store(
        'SELECT registration FROM registration_requests WHERE id = ?',
        requestId,
      )) as { registration: string }[]
      const { keys: _, ...older } = JSON.parse(stored?.registration ?? '')
      const text = JSON.stringify(older)
      await scene.store('UPDATE registration_requests SET registration = ? WHERE id = ?', text, requestId)
      expect((await ada.read(requestId)).registration.keys).to.deep.equal([])
      expect((await ada.approveRequest(requestId)).status).to.equal(200)
    })

    it('are refused at once, and when the owner approves, if another owner’s agent has them', async () => {
      const eve = await scene.developer()
      const { jwk } = createAgentKey()
      const early = await eve.asks(register([jwk]))
      await ada.approveRequest(await ada.asks(register([jwk])))
      expect(outcome(await eve.register(register([jwk])))).to.deep.equal([409, 'KEY_TAKEN'])
      expect(outcome(await eve.approveRequest(early))).to.deep.equal([409, 'KEY_TAKEN'])
      expect((await scene.poll(early)).status).to.equal('pending')
    })
  })
})
