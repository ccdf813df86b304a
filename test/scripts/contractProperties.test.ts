import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { INVARIANT_DEPTH } from '../../hardhat.config.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'

const ROOT = join(import.meta.dirname, '../..')
/** From the Debian package of the same name. */
const PROVER = 'z3'
/** The tests `invariant_…` and `testFuzz_…` in test/solidity. */
const PROPERTY_COUNT = 19
/** The contracts that `scripts/proveContracts.ts` gives the prover. */
const PROVED = ['AuditLog', 'ValidationRegistry', 'lib/MerkleTree', 'lib/AddressList']
const LIMIT_MS = { none: 0, short: 300_000, full: 3_600_000 }[faultMode]

/** Runs both programs as users start them; `npm test` already includes the first. */
describe('the contracts, checked by random calls and by the prover', function () {
  this.timeout(LIMIT_MS)
  before(function () {
    if (faultMode === 'none') this.skip()
  })

  const run = (script: string, ...args: string[]) => {
    const env = { ...process.env, FORCE_COLOR: '0', ...(faultMode === 'full' ? { FUZZ: 'long' } : {}) }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      timeout: LIMIT_MS,
    })
    expect(status, `${stdout}${stderr}`).to.equal(0)
    return stdout
  }

  it('keep their invariants', () => {
    const output = run('node_modules/hardhat/dist/src/cli.js', 'test', 'solidity')
    const tests = [...output.matchAll(/✔ (invariant|testFuzz)_.*\(runs: (\d+)\)/g)]
    expect(tests.length).to.equal(PROPERTY_COUNT)
    const callsOf = (kind = '', runs = '') => Number(runs) * (kind === 'invariant' ? INVARIANT_DEPTH : 1)
    const calls = tests.reduce((sum, [, kind, runs]) => sum + callsOf(kind, runs), 0)
    expect(calls).to.be.above(tests.length)
    reportFaultFigure(`${calls} random calls in ${tests.length} properties: 0 counterexamples`)
  })

  it('are proved safe where the prover can handle them', function () {
    if (spawnSync(PROVER, ['--version']).status !== 0) this.skip()
    const proved = [...run('scripts/proveContracts.ts').matchAll(/^(.*): (\d+) proved safe, 0 not$/gm)]
    expect(proved.map(([, name]) => name)).to.deep.equal(PROVED)
    for (const [, name, safe] of proved) expect(Number(safe), name).to.be.above(0)
    const checks = proved.reduce((sum, [, , safe]) => sum + Number(safe), 0)
    reportFaultFigure(`${checks} checks in ${PROVED.join(', ')} proved safe`)
  })
})
