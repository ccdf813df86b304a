import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { exportPublicKey, generateAgentKey, signHttpRequest } from '@svc/client'
import { PASS_THROUGH_HEADERS } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { expect } from 'chai'
import { parse } from 'yaml'
import { GRANT, isVerifiable } from '../client/gateway/openFakeService.ts'
import { openGate } from './openGate.ts'
import { AGENT, DENIAL, ENDPOINT, holdFor } from './openRegistry.ts'

const EXAMPLES = new URL('../../gate/examples/', import.meta.url)
const NAMED = { 'x-svc-id': AGENT }
const DECISION = ['x-svc-access-level', 'x-svc-recommendation', 'x-svc-identity-proof']
const STATED = {
  ...{ 'X-Forwarded-Method': 'POST', 'X-Forwarded-Uri': '/orders?x=1', 'X-Forwarded-Host': 'shop.example' },
  'X-Forwarded-Proto': 'https',
}

describe('svc-gate asked by a proxy', () => {
  let opened: Awaited<ReturnType<typeof openGate>>
  afterEach(() => opened?.stop())

  it('verifies the request that the proxy states, and answers with the headers to pass on', async () => {
    opened = await openGate(null)
    const response = await fetch(`${opened.url}/verify`, { headers: { ...NAMED, ...STATED } })
    expect(response.status).to.equal(200)
    expect(response.headers.get('x-svc-access-level')).to.equal('full')
    expect(response.headers.get('x-svc-identity-proof')).to.equal('signature')
    expect(opened.asked[0]).to.include({ resource: '/orders', counterpartyId: ENDPOINT })
    expect(opened.asked[0]?.callerMetadata.host).to.equal('shop.example')
  })

  it('answers 403 with the reason to everything that does not pass, also to a held request, which is no yes', async () => {
    opened = await openGate(null, {
      answer: ({ agentId }) => ({
        ...{ success: true, access: { allowed: false, accessLevel: 'none', reason: '', failures: [] } },
        recommendation: agentId === undefined ? 'deny' : 'step_up_required',
        recommendationReasons: [],
      }),
    })
    for (const [headers, own] of [
      [{}, '403'],
      [NAMED, '202'],
    ] as const) {
      const response = await fetch(opened.url, { headers: { ...headers, ...STATED } })
      expect(response.status).to.equal(403)
      expect(response.headers.get('x-svc-gate-status')).to.equal(own)
      expect(await response.json()).to.have.property('code')
    }
  })

  it('answers 503 to a proxy that does not state the request, and without a decision', async () => {
    opened = await openGate(null)
    for (const missing of Object.keys(STATED)) {
      const partly = Object.entries(STATED).filter(([name]) => name !== missing)
      const headers = { ...NAMED, ...Object.fromEntries(partly) }
      expect((await fetch(opened.url, { headers })).status, missing).to.equal(503)
      expect((await fetch(opened.url, { headers: { ...headers, [missing]: '' } })).status, missing).to.equal(
        503,
      )
      expect(opened.warnings.pop()).to.include(missing)
    }
    expect(opened.asked).to.deep.equal([])
  })

  it('says no to a target that names another host than the request, before anything is asked', async () => {
    opened = await openGate(null)
    const stated = { ...NAMED, ...STATED, 'X-Forwarded-Uri': 'https://other.example/orders' }
    const response = await fetch(opened.url, { headers: stated })
    expect([response.status, response.headers.get('x-svc-gate-status')]).to.deep.equal([403, '400'])
    expect(await response.json()).to.include({ code: 'invalid_target' })
    expect(opened.asked).to.deep.equal([])
  })

  it('takes the question itself for the request if that is how the proxy asks, whatever the caller states', async () => {
    opened = await openGate(null, { question: 'request' })
    const headers = { ...NAMED, 'X-Forwarded-Uri': '/public', 'X-Forwarded-Method': 'GET' }
    await fetch(`${opened.url}/orders/7`, { method: 'DELETE', headers })
    expect(opened.asked[0]).to.include({ resource: '/orders/7' })
  })

  it('hands over no digest of a body that it has not seen, so that a signature over it proves nothing', async () => {
    opened = await openGate(null)
    const signed = {
      ...{ signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method" "content-digest");created=1' },
      'content-digest': 'sha-256=:AAAA:',
    }
    await fetch(opened.url, { headers: { ...NAMED, ...STATED, ...signed } })
    expect(opened.asked[0]?.callerMetadata).to.not.have.property('contentDigest')
  })

  it('reports the body of a signed GET as one whose digest nobody knows, unless it has none', async () => {
    opened = await openGate(null, { question: 'request' })
    const signed = { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method");created=1' }
    for (const [length, expected] of [
      [{ 'content-length': '3' }, 'unknown'],
      [{ 'transfer-encoding': 'chunked' }, 'unknown'],
      [{ 'content-length': '0' }, undefined],
      [{}, undefined],
    ] as const) {
      await new Promise<void>((resolve, reject) => {
        const headers = { ...NAMED, ...signed, ...length }
        const req = request(opened.url, { method: 'GET', headers }, (res) => res.resume().on('end', resolve))
        req.on('error', reject)
        req.end(expected === undefined ? undefined : 'abc')
      })
      expect(opened.asked.at(-1)?.callerMetadata.contentDigest, JSON.stringify(length)).to.equal(expected)
    }
  })
})

/** A request as a proxy has received it for https://shop.example. */
type ToAskAbout = { method: string; target: string; headers: Record<string, string> }

/** The proxies that no test runs: what each sends, as its documentation says, and which headers its example passes on. */
const DOCUMENTED: Record<
  string,
  {
    example: string
    question: 'headers' | 'request'
    describe: (asked: ToAskAbout) => ToAskAbout
    passesOn: (example: object) => (name: string) => boolean
  }
> = {
  /** Source: doc.traefik.io/traefik/v3.7/reference/routing-configuration/http/middlewares/forwardauth. */
  Traefik: {
    ...{ example: 'traefik.yaml', question: 'headers' },
    describe: ({ method, target, headers }) => ({
      ...{ method: 'GET', target: '/' },
      headers: {
        ...{ ...headers, 'X-Forwarded-Method': method, 'X-Forwarded-Uri': target },
        ...{
          'X-Forwarded-Host': 'shop.example',
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-For': '6.6.6.6, 203.0.113.7',
        },
      },
    }),
    passesOn: (example) => {
      const pattern = String(findMember(example, 'authResponseHeadersRegex'))
      expect(pattern).to.match(/^\(\?i\)/)
      return (name) => new RegExp(pattern.slice('(?i)'.length), 'i').test(name)
    },
  },
  /** Source: envoyproxy.io/docs/envoy/latest/api-v3/extensions/filters/http/ext_authz/v3/ext_authz.proto. */
  Envoy: {
    ...{ example: 'envoy.yaml', question: 'request' },
    describe: ({ method, target, headers }) => ({
      ...{ method, target },
      headers: {
        ...{ ...headers, Host: 'shop.example', 'Content-Length': '0' },
        ...{ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' },
      },
    }),
    passesOn: (example) => {
      const { patterns } = findMember(example, 'allowed_upstream_headers') as {
        patterns: { exact: string }[]
      }
      return (name) => patterns.some(({ exact }) => exact === name)
    },
  },
}

for (const [name, { example, question, describe: describeQuestion, passesOn }] of Object.entries(
  DOCUMENTED,
)) {
  describe(`svc-gate asked as ${name} is documented to ask`, () => {
    let opened: Awaited<ReturnType<typeof openGate>>
    after(() => opened?.stop())
    before(async () => {
      opened = await openGate(null, {
        question,
        answer: ({ agentId, resource }) => {
          if (agentId === undefined || resource === '/denied') return DENIAL
          return resource === '/held' ? holdFor('5f6c1f0e-7d0b-4d55-9f2e-0b1a8a1c9a11') : GRANT
        },
      })
    })
    async function ask(toAskAbout: ToAskAbout) {
      const { method, target, headers } = describeQuestion(toAskAbout)
      const sent = request(opened.url + target, { method, headers })
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      let text = ''
      for await (const chunk of response) text += chunk
      return { status: response.statusCode, headers: response.headers, text }
    }

    it('says yes to a signed request, with the headers that the example passes on', async () => {
      const key = await generateAgentKey()
      const [method, target] = ['DELETE', '/orders/7?x=1']
      const url = `https://shop.example${target}`
      const headers = await signHttpRequest(key, { method, url }, { agentId: AGENT })
      const { status, headers: answered } = await ask({ method, target, headers })
      expect(status).to.equal(200)
      const passed = passesOn(parse(readFileSync(new URL(example, EXAMPLES), 'utf8')))
      expect(Object.keys(answered).filter(passed)).to.have.members(DECISION)
      expect(PASS_THROUGH_HEADERS.every(passed)).to.equal(true)
      const asked = opened.asked.at(-1)
      if (asked === undefined) throw new Error('nothing was asked')
      expect(asked.callerMetadata.sourceIp).to.equal('203.0.113.7')
      expect(await isVerifiable(asked, await exportPublicKey(key))).to.equal(true)
    })

    it('says no to callers without an agent, and to named ones that are denied or held, with the reason', async () => {
      for (const [target, headers, own] of [
        ['/orders', {}, '403'],
        ['/denied', NAMED, '403'],
        ['/held', NAMED, '202'],
      ] as const) {
        const { status, headers: answered, text } = await ask({ method: 'POST', target, headers })
        expect(status, target).to.equal(403)
        expect(answered['x-svc-gate-status'], target).to.equal(own)
        expect(JSON.parse(text), target).to.have.property('code')
      }
    })
  })
}

function findMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = key === name ? member : findMember(member, name)
    if (found !== undefined) return found
  }
  return undefined
}
