import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { AGENT_CARD_PATH, AgentCard, Message, SendMessageRequest } from '@a2a-js/sdk'
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { type AgentKey, exportPublicKey, generateAgentKey, signFetch } from '@svc/client'
import { expect } from 'chai'
import express from 'express'
import { zeroAddress } from 'viem'
import { GRANT, isVerifiable } from '../client/gateway/openFakeService.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { hasFrameworks } from '../harness/runner/hasFrameworks.ts'
import { openGate } from './openGate.ts'
import { AGENT, DENIAL, holdFor, type RegistryAnswer } from './openRegistry.ts'

const NAMED = { 'X-Svc-Id': AGENT }
const ATTEMPT = '5f6c1f0e-7d0b-4d55-9f2e-0b1a8a1c9a11'
const HELD = 'work:held'
const DENIED = 'work:denied'

const answer: RegistryAnswer = ({ agentId, purpose, attemptId }) => {
  if (agentId === undefined || purpose === DENIED) return DENIAL
  return purpose === HELD && attemptId !== ATTEMPT ? holdFor(ATTEMPT) : GRANT
}

describe('svc-gate before the file server of Python', function () {
  this.timeout(30_000)
  const folder = createTemporaryFolder()
  const content = 'x'.repeat(1_048_576)
  let opened: Awaited<ReturnType<typeof openGate>>
  let server: ChildProcess

  before(async function () {
    writeFileSync(join(folder.path, 'file.txt'), content)
    const args = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder.path]
    server = spawn('/usr/bin/python3', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    // It is not installed.
    const isMissing = await once(server, 'spawn').then(
      () => false,
      () => true,
    )
    if (isMissing || server.stdout === null) return this.skip()
    const [line] = await once(createInterface(server.stdout), 'line')
    const [url = ''] = /http:\S+\//.exec(line) ?? []
    opened = await openGate(new URL(url), { answer })
  })
  after(async () => {
    await opened?.stop()
    if (server?.exitCode === null && server.kill()) await once(server, 'exit')
    folder.remove()
  })
  const get = (headers: Record<string, string>, fetchIt = fetch) =>
    fetchIt(`${opened.url}/file.txt`, { headers })

  it('gives its files to named and signed requests, as it would itself', async () => {
    const named = await get(NAMED)
    expect([named.status, await named.text()]).to.deep.equal([200, content])
    const since = named.headers.get('last-modified') ?? ''
    expect((await get({ ...NAMED, 'If-Modified-Since': since })).status).to.equal(304)
    expect((await fetch(`${opened.url}/none`, { headers: NAMED })).status).to.equal(404)
    const key = await generateAgentKey()
    const signed = await get({}, signFetch(key, { agentId: AGENT }))
    expect(await signed.text()).to.equal(content)
    expect(await isLastVerifiable(opened, key)).to.equal(true)
  })

  it('gives none to callers without an agent, and to held and denied ones', async () => {
    for (const [headers, status] of [
      [{}, 403],
      [{ ...NAMED, 'X-Svc-Purpose': DENIED }, 403],
      [{ ...NAMED, 'X-Svc-Purpose': HELD }, 202],
    ] as const) {
      const response = await get(headers)
      expect(response.status).to.equal(status)
      expect(await response.json()).to.have.property('code')
    }
    const approved = await get({ ...NAMED, 'X-Svc-Purpose': HELD, 'X-Svc-Attempt-Id': ATTEMPT })
    expect(await approved.text()).to.equal(content)
  })
})

const CARD = `/${AGENT_CARD_PATH}`

describe('svc-gate before an A2A agent, with the official client and agent0-sdk', () => {
  let opened: Awaited<ReturnType<typeof openGate>>
  let executions = 0

  before(async () => {
    const app = express()
    // The card is public; the endpoint admits callers without an agent to it.
    opened = await openGate(app, {
      answer: (asked) =>
        [CARD, '/secured/agent-card.json'].includes(asked.resource ?? '') ? GRANT : answer(asked),
    })
    const card = AgentCard.fromJSON({
      ...{ name: 'Echo', description: 'Says it again.', version: '1', capabilities: { streaming: true } },
      supportedInterfaces: [{ url: `${opened.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    })
    const executor: AgentExecutor = {
      async execute({ userMessage, contextId }, bus) {
        executions += 1
        const reply = { messageId: 'reply', contextId, role: 'ROLE_AGENT' }
        bus.publish(AgentEvent.message({ ...Message.fromJSON(reply), parts: userMessage.parts }))
        bus.finished()
      },
      cancelTask: async () => undefined,
    }
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
    // The official server writes security schemes as of version 1.0, which agent0-sdk does not read.
    const scheme = { type: 'apiKey', in: 'header', name: 'X-Svc-Id' }
    const secured = {
      ...(AgentCard.toJSON(card) as object),
      securitySchemes: { svcId: scheme },
      security: [{ svcId: [] }],
    }
    app.get('/secured/agent-card.json', (_req, res) => void res.json(secured))
    app.use(CARD, agentCardHandler({ agentCardProvider: requestHandler }))
    app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  })
  beforeEach(() => {
    executions = 0
  })
  after(() => opened.stop())

  function connect(fetchImpl: typeof fetch) {
    return new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(opened.url)
  }
  const named: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...NAMED } })
  const hello = () =>
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }] },
    })
  const textOf = (message: unknown) => (message as Message).parts[0]?.content?.value

  it('passes the card, messages and streams of named and signed clients', async () => {
    expect(textOf(await (await connect(named)).sendMessage(hello()))).to.equal('hello')
    const key = await generateAgentKey()
    const client = await connect(signFetch(key, { agentId: AGENT }) as typeof fetch)
    expect(textOf(await client.sendMessage(hello()))).to.equal('hello')
    expect(await isLastVerifiable(opened, key)).to.equal(true)
    const streamed: unknown[] = []
    for await (const { payload } of client.sendMessageStream(hello())) streamed.push(textOf(payload?.value))
    expect(streamed).to.deep.equal(['hello'])
    expect(executions).to.equal(3)
  })

  it('refuses clients without an agent, and held and denied messages, which the agent never sees', async () => {
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: Error) => error.message,
      )
    const unnamed = await connect(fetch)
    expect(await failureOf(unnamed.sendMessage(hello()))).to.include('403')
    const client = await connect(named)
    const send = (parameters: Record<string, string>) =>
      client.sendMessage(hello(), { serviceParameters: parameters })
    expect(await failureOf(send({ 'X-Svc-Purpose': DENIED }))).to.include('403')
    expect(await failureOf(send({ 'X-Svc-Purpose': HELD }))).to.be.a('string')
    expect(executions).to.equal(0)
    const approved = await send({ 'X-Svc-Purpose': HELD, 'X-Svc-Attempt-Id': ATTEMPT })
    expect(textOf(approved)).to.equal('hello')
  })

  it('passes messages of agent0-sdk with the name of its agent, and refuses those without', async function () {
    if (!hasFrameworks()) return this.skip()
    const { sendByAgent0 } = await import('../../frameworks/agent0.ts')
    const registry = { chainId: 31_337, rpcUrl: opened.url, address: zeroAddress }
    const send = (credential?: Record<string, string>) =>
      sendByAgent0(registry, `${opened.url}/secured/agent-card.json`, 'hello', credential)
    expect(await send({ svcId: AGENT })).to.deep.include({ parts: [{ text: 'hello' }] })
    expect(opened.asked.at(-1)).to.include({ agentId: AGENT, resource: '/a2a' })
    expect(executions).to.equal(1)
    expect(await send().catch((failure: Error) => failure)).to.be.an('error')
    expect(executions).to.equal(1)
    return undefined
  })
})

async function isLastVerifiable({ asked }: Awaited<ReturnType<typeof openGate>>, key: AgentKey) {
  const last = asked.at(-1)
  return last !== undefined && (await isVerifiable(last, await exportPublicKey(key)))
}
