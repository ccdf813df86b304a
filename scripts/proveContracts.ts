/**
 * `npm run prove:contracts` has the compiler's prover (SMTChecker, bounded model checking) search the contracts it can
 * handle for overflows, underflows, divisions by zero, out-of-bounds accesses and failing assertions. Exits with 1 if
 * anything is not proved safe. Needs z3 (Debian package `z3`).
 *
 * Source: Solidity documentation, "SMTChecker and Formal Verification"; docs/reliability.md row 29.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOLVER = 'z3'
/** Limit of one query; a query that takes longer counts as not proved. */
const QUERY_TIMEOUT_MS = 10_000
/**
 * The contracts that the prover can handle. On the registries built on OpenZeppelin's ERC-721 it does not finish within
 * ten minutes, and the other libraries rely on bounds that their callers guarantee: fuzz and invariant tests cover those
 * (`FUZZ=long npm run test:solidity`).
 */
const PROVED = ['AuditLog', 'ValidationRegistry', 'lib/MerkleTree', 'lib/AddressList']
const TARGETS = ['assert', 'underflow', 'overflow', 'divByZero', 'popEmptyArray', 'outOfBounds']

type Finding = { severity: 'error' | 'warning' | 'info'; message: string; formattedMessage: string }
type Reading = { contents: string } | { error: string }
type Compiler = {
  compile(
    input: string,
    callbacks: { import(path: string): Reading; smtSolver(query: string): Reading },
  ): string
}

if (spawnSync(SOLVER, ['--version']).status !== 0) {
  console.error('z3 is not installed (apt-get install z3)')
  process.exit(2)
}
const compiler = createRequire(import.meta.url)('solc') as Compiler
let unproved = 0
for (const name of PROVED) {
  const findings = prove(name)
  const safe = findings.filter(({ severity, message }) => severity === 'info' && / is safe!/.test(message))
  const open = findings.filter(({ severity, message }) => severity !== 'info' && !/unsupported/.test(message))
  for (const { formattedMessage } of open) console.error(formattedMessage)
  console.log(`${name}: ${safe.length} proved safe, ${open.length} not`)
  unproved += open.length
}
process.exitCode = unproved === 0 ? 0 : 1

function prove(name: string): Finding[] {
  const file = `contracts/${name}.sol`
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(join(ROOT, file), 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      modelChecker: {
        engine: 'bmc',
        solvers: ['smtlib2'],
        contracts: { [file]: [name.replace('lib/', '')] },
        targets: TARGETS,
        showUnproved: true,
        showProvedSafe: true,
        timeout: QUERY_TIMEOUT_MS,
      },
    },
  }
  const output = compiler.compile(JSON.stringify(input), { import: read, smtSolver: solve })
  return (JSON.parse(output) as { errors?: Finding[] }).errors ?? []
}

function read(path: string): Reading {
  for (const base of ['', 'node_modules']) {
    try {
      return { contents: readFileSync(join(ROOT, base, path), 'utf8') }
    } catch {
      // The next folder may have it.
    }
  }
  return { error: `${path} not found` }
}

function solve(query: string): Reading {
  const { stdout } = spawnSync(SOLVER, ['-in', '-smt2', `-t:${QUERY_TIMEOUT_MS}`], {
    input: query,
    encoding: 'utf8',
    timeout: 2 * QUERY_TIMEOUT_MS,
  })
  return { contents: stdout || 'unknown' }
}
