import { parseArgs } from 'node:util'
import type { Recommendation } from '@svc/core/access/decision.ts'
import { compilePolicyFile } from '../policy/compilePolicyFile.ts'
import { EvaluatePolicyError } from '../policy/evaluatePolicyError.ts'
import { explainEvaluation, explainPolicy } from './explainPolicy.ts'
import { lintPolicy } from './lintPolicy.ts'

/** The parts of the machine that a command uses. */
export type CliIo = {
  /** Returns the text of a file, or of standard input for `-`; throws if it cannot be read. */
  read(file: string): string
  out(line: string): void
  err(line: string): void
  /** Epoch milliseconds. */
  now(): number
  /** Of the package that the command is part of. */
  version: string
}

type Flags = { now?: string | undefined; json?: boolean | undefined; strict?: boolean | undefined }

/** A mistake in the command line, in one sentence. */
class UsageError extends Error {}

/** Invalid input has a code of its own, so that a script never mistakes a failure to decide for a decision. */
const EXIT: Readonly<Record<Recommendation, number>> = { grant: 0, audit: 0, deny: 1, step_up_required: 3 }
const UNUSABLE = 2

const USAGE = `Evaluates policy files, without an account or a network.

  evaluate <policy> <request>   decides on a request with the fields of verify-access
  lint <policy> …               reports mistakes with line and column, and rules that are rarely intended
  explain <policy> [<request>]  explains the rules of a policy, and its decision on a request

Policies are YAML or JSON, requests are JSON; \`-\` reads standard input.

  --now <time>  evaluate, explain: decides as of an ISO 8601 time with its zone, such as 2026-11-21T09:00:00Z
  --json        evaluate: prints {recommendation, access, failures}
                lint: prints [{file, findings: [{severity, line, column, pointer, message}]}]
  --strict      lint: warnings fail as well
  --version     prints the version

Exit code: 0 granted (or audit), or no findings; 1 denied, or findings with --strict; 2 invalid input; 3 needs approval.`

/**
 * Runs one command of the local evaluator and returns its exit code.
 *
 * Source: Spec: What the service does 9.
 */
export function runCli(args: readonly string[], io: CliIo): number {
  try {
    const { values, positionals } = parseCommandLine(args)
    const [name, ...files] = positionals
    if (values.version) {
      io.out(io.version)
      return 0
    }
    if (values.help || name === undefined) {
      io.out(USAGE)
      return values.help ? 0 : UNUSABLE
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined) throw new UsageError(`Unknown command "${name}".`)
    const unused = Object.keys(values).find((flag) => !command.flags.includes(flag))
    if (unused !== undefined) throw new UsageError(`${name} has no option --${unused}.`)
    return command.run(files, values, io)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EvaluatePolicyError)) throw error
    io.err(error.message)
    if (error instanceof UsageError) io.err('Try --help.')
    return UNUSABLE
  }
}

function parseCommandLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        now: { type: 'string' },
        json: { type: 'boolean' },
        strict: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

type Command = {
  /** Its options; any other would silently do nothing. */
  flags: readonly string[]
  /** Returns the exit code. */
  run(files: readonly string[], flags: Flags, io: CliIo): number
}

const COMMANDS: Readonly<Record<string, Command>> = {
  evaluate: { flags: ['now', 'json'], run: evaluate },
  lint: { flags: ['json', 'strict'], run: lint },
  explain: { flags: ['now'], run: explain },
}

function evaluate([policy, request, ...rest]: readonly string[], flags: Flags, io: CliIo): number {
  if (policy === undefined || request === undefined || rest.length > 0) {
    throw new UsageError('evaluate needs a policy and a request.')
  }
  const { evaluate } = compilePolicyFile(readText(io, policy))
  const evaluation = evaluate(readRequest(io, request), parseNow(flags, io))
  if (flags.json) io.out(JSON.stringify(evaluation, null, 2))
  else for (const line of explainEvaluation(evaluation)) io.out(line)
  return EXIT[evaluation.recommendation]
}

function lint(files: readonly string[], flags: Flags, io: CliIo): number {
  if (files.length === 0) throw new UsageError('lint needs at least one policy.')
  const linted = files.map((file) => ({ file, findings: lintFile(io, file) }))
  if (flags.json) io.out(JSON.stringify(linted, null, 2))
  else for (const one of linted) for (const line of describeFindings(one)) io.out(line)
  const severities = linted.flatMap(({ findings }) => findings.map(({ severity }) => severity))
  if (severities.includes('error')) return UNUSABLE
  return flags.strict && severities.length > 0 ? 1 : 0
}

function explain([policy, request, ...rest]: readonly string[], flags: Flags, io: CliIo): number {
  if (policy === undefined || rest.length > 0)
    throw new UsageError('explain needs a policy and optionally a request.')
  const { policyFile, evaluate } = compilePolicyFile(readText(io, policy))
  for (const line of explainPolicy(policyFile)) io.out(line)
  if (request === undefined) return 0
  const evaluation = evaluate(readRequest(io, request), parseNow(flags, io))
  io.out('')
  for (const line of explainEvaluation(evaluation)) io.out(line)
  return EXIT[evaluation.recommendation]
}

/** Line and column are 0 for a finding about the policy as a whole. */
type Finding = {
  severity: 'error' | 'warning'
  line: number
  column: number
  pointer: string
  message: string
}

function lintFile(io: CliIo, file: string): Finding[] {
  try {
    const warnings = lintPolicy(compilePolicyFile(readText(io, file)).policyFile)
    return warnings.map((warning) => ({ severity: 'warning', line: 0, column: 0, ...warning }))
  } catch (error) {
    if (!(error instanceof EvaluatePolicyError)) throw error
    return error.errors.map(({ line, column, pointer, message }) => ({
      ...{ severity: 'error', line, column, pointer, message },
    }))
  }
}

function describeFindings({ file, findings }: { file: string; findings: readonly Finding[] }): string[] {
  if (findings.length === 0) return [`${file}: no findings`]
  return findings.map(({ severity, line, column, pointer, message }) => {
    const position = line > 0 ? `${file}:${line}:${column}` : file
    return `${position}: ${severity}: ${pointer === '' ? '' : `${pointer}: `}${message}`
  })
}

function readText(io: CliIo, file: string): string {
  try {
    return io.read(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function readRequest(io: CliIo, file: string): unknown {
  const text = readText(io, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** The zone is required: without one, the machine's own zone would affect the decision. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

function parseNow({ now }: Flags, io: CliIo): number {
  if (now === undefined) return io.now()
  const time = ISO_TIME.test(now) ? Date.parse(now) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError(`--now: expected a time such as 2026-11-21T09:00:00Z, got ${now}`)
  return time
}
