import { readMcpSettings } from '@svc/gate/mcp/readMcpSettings.ts'
import { expect } from 'chai'
import { AGENT, ENDPOINT } from '../openRegistry.ts'

const COMMON = ['--endpoint', ENDPOINT, '--api', 'https://registry.example/api']
const UPSTREAM = ['--upstream', 'http://127.0.0.1:9000/mcp']

const read = (args: readonly string[], files: Record<string, string> = {}) =>
  readMcpSettings({
    args,
    env: { SVC_API_KEY: 'k' },
    readFile: (path) => files[path] ?? '',
  })
const readRules = (rules: string) =>
  read([...COMMON, ...UPSTREAM, '--rules', 'rules.yaml'], { 'rules.yaml': rules })

describe('the settings of svc-gate mcp', () => {
  it('name the address of a server, or the command after "--", with its own flags', () => {
    expect(read([...COMMON, ...UPSTREAM])?.server).to.deep.equal(new URL('http://127.0.0.1:9000/mcp'))
    const started = read([...COMMON, '--agent', AGENT, '--', 'npx', 'server', '--help', '--', '-x'])
    expect(started?.server).to.deep.equal({
      ...{ command: 'npx', args: ['server', '--help', '--', '-x'], agentId: AGENT, agentKeyFile: undefined },
    })
    expect([started?.admin, read([...COMMON, ...UPSTREAM])?.admin]).to.deep.equal([
      null,
      { host: '127.0.0.1', port: 9464 },
    ])
    expect(read(['--help'])).to.equal(null)
  })

  for (const [problem, args, said] of [
    ['neither address nor command', [], 'Set either upstream, or the command of the server after "--".'],
    ['both', [...UPSTREAM, '--', 'npx'], 'Set either upstream, or the command of the server after "--".'],
    ['an address with a query', ['--upstream', 'http://a/mcp?x'], /^upstream must be an address such as /],
    ['an agent before an address', [...UPSTREAM, '--agent', AGENT], /^agent is for the command of a server/],
    [
      'an agent that is none',
      ['--agent', 'x', '--', 'npx'],
      'agent must be an identifier that begins with SVC-.',
    ],
    ['a key without its agent', ['--agent-key-file', 'k', '--', 'npx'], /^agent-key-file needs agent/],
    ['a setting of the proxy', [...UPSTREAM, '--forward-auth', 'headers'], /Unknown option '--forward-auth'/],
  ] as const) {
    it(`refuse ${problem}, in a sentence`, () => {
      expect(() => read([...COMMON, ...args])).to.throw(said)
    })
  }

  for (const [problem, rules, said] of [
    ['a list', '[]', 'rules.yaml: the file must be an object.'],
    ['an unknown member', 'tool: {}', 'rules.yaml: tool is unknown; there are purposes, tools.'],
    [
      'an unknown kind of tool',
      'purposes: { read: a:b }',
      /^rules.yaml: purposes.read is unknown; there are readOnly/,
    ],
    [
      'a purpose that is none',
      'purposes: { write: "a b" }',
      /^rules.yaml: purposes.write must be a purpose such as/,
    ],
    ['a rule that is a text', 'tools: { buy: no }', 'rules.yaml: tools.buy must be an object.'],
    [
      'an unknown member of a rule',
      'tools: { buy: { amont: /x } }',
      /^rules.yaml: tools.buy.amont is unknown/,
    ],
    [
      'a switch that is neither',
      'tools: { buy: { allowed: 1 } }',
      'rules.yaml: tools.buy.allowed must be true or false.',
    ],
    [
      'an unknown audience',
      'tools: { buy: { listedFor: me } }',
      /^rules.yaml: tools.buy.listedFor must be everyone or/,
    ],
    [
      'an empty resource',
      'tools: { buy: { resource: "" } }',
      /^rules.yaml: tools.buy.resource must be a text/,
    ],
    [
      'an amount that is no pointer',
      'tools: { buy: { amount: total, currency: EUR } }',
      /tools.buy.amount must be a JSON pointer/,
    ],
    [
      'an amount without a currency',
      'tools: { buy: { amount: /total } }',
      /tools.buy.currency must be EUR or a JSON pointer/,
    ],
    ['a currency without an amount', 'tools: { buy: { currency: EUR } }', /tools.buy.amount must be given/],
    [
      'digits that are none',
      'tools: { buy: { amount: /a, currency: EUR, minorDigits: -1 } }',
      /tools.buy.minorDigits must be a whole number/,
    ],
    ['what is no YAML', '{', /^rules.yaml is no YAML/],
  ] as const) {
    it(`refuse rules with ${problem}, and say where`, () => {
      expect(() => readRules(rules)).to.throw(said)
    })
  }
})
