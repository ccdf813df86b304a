import { type PolicyFile, parsePolicyFile } from '@svc/core/policyFile/policyFile.ts'
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import { EvaluatePolicyError, type PolicyFieldError } from './evaluatePolicyError.ts'

const TEXT_CHARS_MAX = 64 * 1024
const PROBLEMS_MAX = 20
const DEPTH_MAX = 100
const TOO_DEEP = 'is nested too deeply to be read'
const SUBJECT = 'The policy file cannot be used:'

/**
 * Reads the text of a policy file, YAML 1.2 core schema or JSON, and answers its parsed form.
 *
 * Aliases, anchors, tags, repeated keys and further documents are refused: a policy must read the same to every reader. At most 64 Ki
 * characters.
 *
 * @throws EvaluatePolicyError naming line, column and field of everything that is wrong.
 */
export function readPolicyText(text: string): PolicyFile {
  if (text.length > TEXT_CHARS_MAX) {
    throw failed([
      at(0, 0, '', 'too_big', `expected at most ${TEXT_CHARS_MAX} characters, got ${text.length}`),
    ])
  }
  if (isNestedTooDeeply(text)) throw failed([at(0, 0, '', 'malformed', TOO_DEEP)])
  const lines = new LineCounter()
  const document = parseText(text, lines)
  const problems = syntaxProblems(document, lines)
  if (problems.length > 0) throw failed(problems.slice(0, PROBLEMS_MAX))
  const parsed = parsePolicyFile(document.toJS())
  if (parsed.ok) return parsed.policyFile
  const errors = parsed.errors.map((error) => {
    const { line, col } = lines.linePos(placeOf(document, error.pointer))
    return at(line, col, error.pointer, error.code, error.message)
  })
  throw failed(errors.sort((one, other) => one.line - other.line || one.column - other.column))
}

/** The parser takes seconds over thousands of levels; a policy has six. Brackets inside texts are counted as well, which does no harm. */
function isNestedTooDeeply(text: string): boolean {
  let depth = 0
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > DEPTH_MAX) return true
  }
  return /(?:[-?:][ \t]+){100}/.test(text)
}

function parseText(text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: true,
      lineCounter,
    })
  } catch (cause) {
    throw new EvaluatePolicyError(SUBJECT, [at(0, 0, '', 'malformed', TOO_DEEP)], {
      cause,
    })
  }
}

function syntaxProblems(document: Document, lines: LineCounter): PolicyFieldError[] {
  const problems = [...document.errors, ...document.warnings].map((problem) => {
    const { line, col } = lines.linePos(problem.pos[0])
    const [message = ''] = problem.message.split('\n')
    return at(line, col, '', 'malformed', message)
  })
  visit(document, (_key, node) => {
    const problem = problemOf(node)
    if (problem === undefined) return undefined
    const { line, col } = lines.linePos(isNode(node) ? startOf(node, 0) : 0)
    problems.push(at(line, col, '', 'malformed', problem))
    return visit.BREAK
  })
  return problems
}

function problemOf(node: unknown): string | undefined {
  if (isPair(node) && !isScalar(node.key)) return 'a key has to be plain text'
  if (!isNode(node)) return undefined
  const isShared = isAlias(node) || ('anchor' in node && node.anchor !== undefined)
  return isShared || node.tag !== undefined ? 'aliases, anchors and tags are not allowed' : undefined
}

/** Where in the text the field of a pointer stands, or else the closest field around it. */
function placeOf(document: Document, pointer: string): number {
  let node: unknown = document.contents
  let place = 0
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      if (pair === undefined) return place
      place = startOf(pair.key, place)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(name)]
      place = startOf(node, place)
    }
  }
  return place
}

function startOf(node: unknown, otherwise: number): number {
  return isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise
}

function at(line: number, column: number, pointer: string, code: string, message: string): PolicyFieldError {
  return { pointer, code, message, line, column }
}

function failed(errors: PolicyFieldError[]): EvaluatePolicyError {
  return new EvaluatePolicyError(SUBJECT, errors)
}
