import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { callTool, openMcp, REGISTER_PATH, signedArguments } from './openMcp.ts'

describe('the MCP server, by its tools,', () => {
  let scene: Awaited<ReturnType<typeof openMcp>>

  before(async () => {
    scene = await openMcp()
  })
  after(() => scene.close())

  it('registers and verifies an agent for the official MCP client', async () => {
    const stranger = await scene.connect()
    const registered = await callTool(stranger, 'register_agent', await signedArguments({ name: 'Shopper' }))
    expect(registered.isError, JSON.stringify(registered.body)).to.equal(false)
    const { svcId } = registered.body.data.agent
    expect(svcId).to.match(/^SVC-[0-9A-Za-z]{22}$/)
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey)
    const client = await scene.connect(scene.shop.apiKey)
    const { body } = await callTool(client, 'verify_agent', { agentId: svcId, counterpartyId })
    expect(body).to.include({ success: true, recommendation: 'grant' })
    expect(body.agent).to.include({ svcId, name: 'Shopper' })
    const record = await api(scene.service.baseUrl, 'GET', `/api/audit/records/${body.auditRecordId}`, {
      bearer: scene.shop.apiKey,
    })
    expect(record.status).to.equal(200)
  })

  it('lists its tools with the schemas of the API', async () => {
    const { tools } = await (await scene.connect()).listTools()
    expect(tools.map(({ name }) => name)).to.deep.equal([
      'register_agent',
      'verify_agent',
      'request_registration',
      'poll_registration',
      'search_docs',
    ])
    for (const { name, description, inputSchema } of tools) {
      expect(description, name).to.be.a('string').that.is.not.empty
      expect(inputSchema, name).to.include({ type: 'object' })
    }
    const verify = tools.find(({ name }) => name === 'verify_agent')
    expect(verify?.inputSchema.properties).to.include.keys('agentId', 'counterpartyId', 'purpose')
  })

  it('asks an owner to register an agent, and returns the state of the request', async () => {
    const client = await scene.connect()
    const asked = await callTool(client, 'request_registration', {
      agentName: 'Shopper',
      ownerEmail: `${randomUUID()}@people.io`,
    })
    expect(asked.isError, JSON.stringify(asked.body)).to.equal(false)
    const { requestId } = asked.body
    const polled = await callTool(client, 'poll_registration', { requestId })
    expect(polled.body).to.include({ success: true, requestId, status: 'pending' })
    const over = await api(scene.service.baseUrl, 'GET', `/api/agents/request-registration/${requestId}`)
    expect(over.body.status).to.equal('pending')
  })

  it('charges registration requests by e-mail to the budget of the API', async () => {
    const client = await scene.connect()
    const args = () => ({ agentName: 'Shopper', ownerEmail: `${randomUUID()}@people.io` })
    await callTool(client, 'request_registration', args())
    const { body, isError } = await callTool(client, 'request_registration', args())
    expect([isError, body.code]).to.deep.equal([true, 'RATE_LIMITED'])
    const over = await api(scene.service.baseUrl, 'POST', '/api/agents/request-registration', {
      body: args(),
    })
    expect(over.status).to.equal(429)
  })

  it('searches the documentation', async () => {
    const { body } = await callTool(await scene.connect(), 'search_docs', {
      query: 'nonce signed request',
      limit: 3,
    })
    expect(body.results).to.have.length(3)
    for (const { page, title, text } of body.results) {
      expect(page).to.match(/\.md$/)
      expect(title).to.be.a('string')
      expect(text).to.match(/sign|nonce|request/i)
    }
    for (const query of ['nonce_reused', 'IDEMPOTENCY_CONFLICT', 'redeliver']) {
      const found = await callTool(await scene.connect(), 'search_docs', { query })
      expect(found.body.results, query).not.to.deep.equal([])
      for (const { text, title } of found.body.results)
        expect(`${title} ${text}`).to.match(new RegExp(query, 'i'))
    }
    const none = await callTool(await scene.connect(), 'search_docs', { query: 'qzxwvk' })
    expect(none.body).to.deep.equal({ success: true, results: [] })
  })

  it('makes a new decision for each call, also under an Idempotency-Key, which MCP does not have', async () => {
    const { svcId } = await registerAgent(scene.service.baseUrl)
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey)
    const params = { name: 'verify_agent', arguments: { agentId: svcId, counterpartyId } }
    const headers = { authorization: `Bearer ${scene.shop.apiKey}`, 'idempotency-key': randomUUID() }
    const call = async () => {
      const sent = await scene.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
      expect(sent.headers.get('idempotent-replayed')).to.equal(null)
      return sent.body.result.structuredContent.auditRecordId
    }
    expect(await call())
      .to.be.a('string')
      .and.not.equal(await call())
  })

  describe('rejects', () => {
    it('a signature over another text, and a signature that was already used', async () => {
      const client = await scene.connect()
      const signed = await signedArguments({ name: 'Shopper' })
      const changed = { ...signed, body: signed.body.replace('Shopper', 'Robber!') }
      expect((await callTool(client, 'register_agent', changed)).body.code).to.equal('invalid_signature')
      expect((await callTool(client, 'register_agent', signed)).isError).to.equal(false)
      expect((await callTool(client, 'register_agent', signed)).body.code).to.equal('nonce_reused')
    })

    it('an expired signature', async () => {
      const signer = privateKeyToAccount(generatePrivateKey())
      const body = JSON.stringify({ name: 'Shopper' })
      const timestamp = Math.floor(Date.now() / 1000) - 3600
      const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body, timestamp })
      const signature = headers['x-svc-signature']
      const args = { body, signature, timestamp: String(timestamp), nonce: headers['x-svc-nonce'] }
      expect((await callTool(await scene.connect(), 'register_agent', args)).body.code).to.equal(
        'signature_expired',
      )
    })

    for (const [what, text, code] of [
      ['is not JSON', '{"name":', 'MALFORMED_JSON'],
      ['has no name', '{"description":"x"}', 'VALIDATION_ERROR'],
      ['contains a NUL', '{"name":"a\\u0000b"}', 'VALIDATION_ERROR'],
    ] as const) {
      it(`a registration that ${what}`, async () => {
        const signer = privateKeyToAccount(generatePrivateKey())
        const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body: text })
        const { body, isError } = await callTool(await scene.connect(), 'register_agent', {
          body: text,
          signature: headers['x-svc-signature'],
          timestamp: headers['x-svc-timestamp'],
          nonce: headers['x-svc-nonce'],
        })
        expect([isError, body.code]).to.deep.equal([true, code])
      })
    }

    it('a registration or verification without an API key or signature', async () => {
      for (const client of [await scene.connect(), await scene.connect(scene.shop.accessToken)]) {
        for (const [name, args] of [
          ['register_agent', { body: '{"name":"Shopper"}' }],
          ['verify_agent', { agentId: 'SVC-0000000000000000000000' }],
        ] as const) {
          const { body, isError } = await callTool(client, name, args)
          expect([isError, body.code]).to.deep.equal([true, 'UNAUTHENTICATED'])
        }
      }
    })

    it('another account’s endpoint, with the error of the API', async () => {
      const stranger = await createOrganisation(scene.service.baseUrl)
      const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey)
      const { svcId } = await registerAgent(scene.service.baseUrl)
      const client = await scene.connect(stranger.apiKey)
      const { body } = await callTool(client, 'verify_agent', { agentId: svcId, counterpartyId })
      expect(body.code).to.equal('COUNTERPARTY_KEY_MISMATCH')
      expect(body).to.include.keys('message', 'requestId')
    })

    it('invalid arguments, naming each of them', async () => {
      const wrong = { agentId: 5, counterpartyId: '' }
      const { body } = await callTool(await scene.connect(scene.shop.apiKey), 'verify_agent', wrong)
      expect(body.code).to.equal('VALIDATION_ERROR')
      const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect(pointers).to.include.members(['/agentId', '/counterpartyId'])
      const register = await callTool(await scene.connect(), 'register_agent', { body: 5 })
      expect(register.body.code).to.equal('VALIDATION_ERROR')
      const poll = await callTool(await scene.connect(), 'poll_registration', {})
      expect(poll.body.code).to.equal('VALIDATION_ERROR')
      const search = await callTool(await scene.connect(), 'search_docs', { query: ' ', limit: 11 })
      expect(search.body.code).to.equal('VALIDATION_ERROR')
    })

    it('a poll of an unknown request', async () => {
      const { body } = await callTool(await scene.connect(), 'poll_registration', { requestId: randomUUID() })
      expect(body.code).to.equal('NOT_FOUND')
    })

    it('arguments that are not an object, as an error of the caller', async () => {
      for (const params of [
        undefined,
        {},
        { name: 5 },
        { name: 'search_docs', arguments: null },
        { name: 'search_docs', arguments: 'x' },
      ]) {
        const { status, body } = await scene.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        expect([status, body.error?.code], JSON.stringify(params)).to.deep.equal([200, -32602])
      }
    })

    it('an unknown tool', async () => {
      const client = await scene.connect()
      for (const name of ['drop_everything', 'toString', '__proto__']) {
        const failed = await client.callTool({ name, arguments: {} }).catch((error: Error) => error)
        expect(String(failed)).to.include('Unknown tool')
      }
    })
  })
})
