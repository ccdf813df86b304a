import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { runCli } from '@svc/client/cli/runCli.ts'
import { expect } from 'chai'

const POLICY = `version: "1"
agent: { id: SVC-shopper, name: Shopper }
pdlss:
  purpose:
    categories: [shopping]
    deniedActions: [shopping.refund]
  duration: { allowedDays: [1, 2], allowedHours: { start: 8, end: 20 }, timezone: Europe/Berlin }
  limits: { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: EUR }
  scope: { jurisdictions: [DE, FR], resources: ["/api/**"] }
  selfInstantiation: { allowed: true, maxSubAgents: 2, requireApproval: true }
endpoint:
  pdlss:
    limits: { maxCumulativeSpend: 900, cumulativePeriod: week, currency: EUR, approvalThreshold: 300 }
`
/** A Monday noon in Berlin. */
const NOW = Date.parse('2026-01-05T11:00:00Z')

/** Runs a command on files given as texts. */
function run(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const lines = { out: [] as string[], err: [] as string[] }
  const code = runCli(args, {
    read(file) {
      const text = { 'policy.yaml': POLICY, ...files }[file]
      if (text === undefined) throw new Error('no such file')
      return text
    },
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
    now: () => NOW,
    version: '1.2.3',
  })
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

const evaluate = (request: object, ...flags: string[]) =>
  run(['evaluate', 'policy.yaml', 'request.json', ...flags], { 'request.json': JSON.stringify(request) })

describe('the command line of the local evaluator', () => {
  for (const [value, code, start] of [
    [99.99, 0, 'grant: granted, access level '],
    [100, 3, 'step_up_required: requires the owner’s approval'],
    [300, 1, 'deny: denied'],
  ] as const) {
    it(`exits with ${code} and gives the reason for ${value} EUR`, () => {
      const answer = evaluate({ purpose: 'shopping', transactionValue: value, currency: 'EUR' })
      expect(answer.code, answer.err).to.equal(code)
      expect(answer.out).to.match(new RegExp(`^${start}`))
      if (code === 1) expect(answer.out).to.include('limits')
    })
  }

  it('prints its version', () => {
    expect(run(['--version'])).to.deep.equal({ code: 0, out: '1.2.3', err: '' })
  })

  it('decides as of a given time and prints JSON', () => {
    const request = { purpose: 'shopping' }
    const sunday = evaluate(request, '--json', '--now', '2026-01-04T12:00:00+01:00')
    expect(sunday.code).to.equal(1)
    const { recommendation, access, failures } = JSON.parse(sunday.out)
    expect([recommendation, access.allowed, failures.length]).to.deep.equal(['deny', false, 1])
    expect(evaluate(request, '--json').code).to.equal(0)
  })

  it('explains every rule of a policy and a decision', () => {
    const { code, out } = run(['explain', 'policy.yaml'])
    expect(code).to.equal(0)
    expect(out.split('\n')).to.deep.equal([
      'Shopper:',
      '  purpose: only shopping',
      '  actions: never shopping.refund',
      '  days: only Monday, Tuesday (Europe/Berlin)',
      '  hours: from 08:00 until 20:00 (Europe/Berlin)',
      '  spend: from 100 EUR the owner must approve',
      '  spend: from 200 EUR the owner must approve this request with a passkey',
      '  spend: 500 EUR or more is never allowed',
      '  currency: only EUR, if one is given',
      '  resources: only /api/**',
      '  jurisdictions: only DE, FR',
      '  sub-agents: allowed, each approved by the owner',
      '  sub-agents: at most 2',
      'The endpoint:',
      '  spend: 300 EUR or more is never allowed',
      '  currency: only EUR, if one is given',
      '  spend: at most 900 EUR a week',
    ])
    const request = JSON.stringify({ purpose: 'travel' })
    const explained = run(['explain', 'policy.yaml', 'r.json'], { 'r.json': request })
    expect(explained.code).to.equal(1)
    expect(explained.out).to.include('Shopper:').and.to.include('\ndeny: ')
  })

  it('explains policies without rules', () => {
    const files = {
      'a.yaml': 'version: 1\npdlss: {}',
      'b.yaml': 'version: 1',
      'c.yaml': 'version: 1\nunverifiedAgentPolicy: deny',
    }
    const words = (file: string) => run(['explain', file], files).out
    expect(words('a.yaml')).to.equal('The agent:\n  sub-agents: none')
    expect(words('b.yaml')).to.equal('No boundary: every request gets deny')
    expect(words('c.yaml')).to.include('Callers without identity: deny')
  })

  it('reports mistakes of a policy with line and column', () => {
    const file = POLICY.replace('deniedActions', 'deniedAction').replace('start: 8', 'start: 25')
    const { code, out } = run(['lint', 'bad.yaml'], { 'bad.yaml': file })
    expect(code).to.equal(2)
    expect(out).to.match(/^bad\.yaml:6:5: error: \/pdlss\/purpose\/deniedAction: /m)
    expect(out).to.match(/^bad\.yaml:7:\d+: error: \/pdlss\/duration\/allowedHours\/start: /m)
  })

  it('warns about rules that are valid but rarely intended', () => {
    expect(run(['lint', 'policy.yaml'])).to.deep.include({
      code: 0,
      out: 'policy.yaml: warning: /endpoint/pdlss/limits: a single threshold is the Hard Limit: no approval is needed below it',
    })
    const files = {
      'odd.yaml': `version: 1
pdlss:
  purpose: { allowedActions: [buy], deniedActions: [Buy] }
  duration: { allowedHours: { start: 8, end: 20 } }
  limits: { autonomousThreshold: 5, approvalThreshold: 9 }`,
      'none.yaml': 'version: 1',
      'days.yaml': 'version: 1\npdlss: { duration: { allowedDays: [] } }',
      'good.yaml': 'version: 1\npdlss: { purpose: { categories: [a] } }',
    }
    const lint = (...args: string[]) => run(['lint', ...args], files)
    const { code, out } = lint('odd.yaml')
    expect(code).to.equal(0)
    const pointers = [...out.matchAll(/warning: (\S+): /g)].map(([, pointer]) => pointer)
    expect(pointers).to.deep.equal(['/pdlss/purpose/allowedActions/0', '/pdlss/duration', '/pdlss/limits'])
    expect(lint('none.yaml').out).to.include('every request gets `deny`')
    expect(lint('days.yaml').out).to.include('allows every day')
    expect(lint('good.yaml')).to.include({ code: 0, out: 'good.yaml: no findings' })
    expect(lint('good.yaml', 'odd.yaml', '--strict').code).to.equal(1)
  })

  it('warns of a misspelt member of a request, which is ignored', () => {
    const request = { purpose: 'shopping', transactionvalue: 9_000, currency: 'EUR' }
    const warning =
      'The member transactionvalue was ignored, because it is unknown; transactionValue was probably meant.'
    expect(evaluate(request).out).to.include(`\n  warning: ${warning}`)
    expect(JSON.parse(evaluate(request, '--json').out).warnings).to.deep.equal([warning])
    expect(JSON.parse(evaluate({ purpose: 'shopping' }, '--json').out)).not.to.have.property('warnings')
  })

  it('refuses an option that the command does not have', () => {
    for (const [command, flag] of [
      ['evaluate', '--strict'],
      ['lint', '--now=2026-01-05T11:00:00Z'],
      ['explain', '--json'],
    ] as const) {
      const { code, err } = run([command, 'policy.yaml', flag])
      const [option] = flag.split('=')
      expect([code, err], command).to.deep.equal([2, `${command} has no option ${option}.\nTry --help.`])
    }
  })

  it('exits with 2 on invalid input', () => {
    for (const [args, files, message] of [
      [[], {}, ''],
      [['decide'], {}, 'Unknown command "decide".'],
      [['constructor'], {}, 'Unknown command "constructor".'],
      [['evaluate', 'policy.yaml'], {}, 'evaluate needs a policy and a request.'],
      [['explain'], {}, 'explain needs a policy'],
      [['lint'], {}, 'lint needs at least one policy.'],
      [['evaluate', 'missing.yaml', 'r.json'], {}, 'missing.yaml cannot be read: no such file'],
      [['evaluate', 'policy.yaml', 'r.json'], { 'r.json': '{' }, 'r.json is not JSON'],
      [['evaluate', 'policy.yaml', 'r.json'], { 'r.json': '{"transactionValue":-1}' }, '/transactionValue'],
      [['evaluate', 'policy.yaml', 'r.json', '--now', 'noon'], { 'r.json': '{}' }, '--now: expected a time'],
      [['evaluate', 'policy.yaml', 'r.json', '--now', '2026-01-05T12:00:00'], { 'r.json': '{}' }, '--now: '],
      [['evaluate', 'policy.yaml', 'r.json', '--force'], { 'r.json': '{}' }, '--force'],
      [['evaluate', 'bad.yaml', 'r.json'], { 'bad.yaml': 'version: 9', 'r.json': '{}' }, '1:1 /version'],
    ] as const) {
      const { code, err } = run(args, files)
      expect([code, err.includes(message)], `${args.join(' ')}: ${err}`).to.deep.equal([2, true])
    }
  })

  it('runs as a program and reads a policy from standard input', () => {
    const cli = join(import.meta.dirname, '../../../client/cli.ts')
    const program = (args: string[], input: string) =>
      spawnSync(process.execPath, [cli, ...args], { input, encoding: 'utf8', timeout: 20_000 })
    const { status, stdout } = program(['explain', '-'], POLICY)
    expect([status, stdout.startsWith('Shopper:\n')]).to.deep.equal([0, true])
    expect(program(['--help'], '').stdout).to.include('evaluate <policy> <request>')
  })
})
