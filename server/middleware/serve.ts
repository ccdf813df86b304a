import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, apiError } from '../errors.ts'
import type { KeyedRequest, Once } from '../services/idempotency/answerOnce.ts'
import type { Principal } from '../services/principal.ts'
import { type Authenticators, authenticate } from './authenticate.ts'
import type { Access } from './authorise.ts'
import type { Answer, Handler, RepeatableCall } from './call.ts'
import type { CallerAddress } from './callerAddress.ts'
import type { LoadGate } from './createLoadGate.ts'
import type { BudgetName, RateBudget } from './rateBudget.ts'
import { parseJsonBody, readBody } from './readBody.ts'
import { readKeyedRequest } from './readKeyedRequest.ts'
import { readUpload, type Upload, type UploadRules } from './readUpload.ts'
import { writeAnswer } from './writeAnswer.ts'
import { type ErrorLog, writeError } from './writeError.ts'
import { writeStream } from './writeStream.ts'

/** One row of the route table. */
export type Route = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Express path, `:name` for parameters. */
  path: string
  access: Access
  budget: BudgetName
  /** Whether a repetition under the same Idempotency-Key gets the first answer again. */
  repeatable?: boolean
  /** Members of the body that such a repetition may have otherwise. */
  repeatableApartFrom?: readonly string[]
  /** The standard of others that the operation follows where it is stricter or wider than ours. */
  standard?: 'authzen' | undefined
  /** Set where the answer is wanted most when there is no room for other requests. */
  vital?: true
  /** Set where the body is no JSON but files; its handler has it read. */
  upload?: UploadRules
  handler: Handler
}

export type ServeDeps = {
  authenticators: Authenticators
  budgets: Record<BudgetName, RateBudget>
  gate: LoadGate
  callerAddress: CallerAddress
  clock: () => number
  log: ErrorLog
  answerOnce: (request: KeyedRequest, work: () => Promise<Answer> | Answer) => Promise<Answer>
  once: Once
  observe: (route: Route, status: number, seconds: number) => void
}

/**
 * Takes one request through the border in this order: credential, rate budget, body, handler,
 * response. Express and the fast path of verify-access both end here, so there is one path to reason about.
 */
export async function serve(
  deps: ServeDeps,
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  params: Record<string, string>,
): Promise<void> {
  const requestId = requestIdOf(req, route)
  const startedAt = performance.now()
  const place = route.vital ? null : deps.gate.enter()
  if (place === null && !route.vital) {
    turnAway(deps, req, res, requestId)
    deps.observe(route, res.statusCode, (performance.now() - startedAt) / 1000)
    return
  }
  let now = deps.clock()
  let raw: Promise<Buffer> | undefined
  const readRaw = () => {
    raw ??= readBody(req, place)
    return raw
  }
  try {
    const ip = deps.callerAddress(req)
    // Recovering a signer costs a millisecond of the loop, so strangers pay for it before it is done.
    if (req.headers['x-svc-signature'] !== undefined) await deps.budgets.public.take(ip, now)
    let principal = await authenticate(deps.authenticators, route.access, req, now, readRaw)
    const taken = deps.budgets[route.budget].take(budgetHolderOf(principal, ip), now)
    const headers = taken instanceof Promise ? await taken : taken
    refuseNul(params)
    const body = hasJsonBody(route) ? jsonBodyOf(route, req, await readRaw()) : undefined
    const arrivedAt = deps.clock()
    // Who sends slowly is judged by what holds when all is there: the key may be revoked by now, the approval expired.
    if (arrivedAt - now > STALE_MS) {
      if (!isSigned(principal))
        principal = await authenticate(deps.authenticators, route.access, req, arrivedAt, readRaw)
      now = arrivedAt
    }
    const call: RepeatableCall = {
      requestId,
      principal,
      ip,
      now,
      params,
      query: queryOf(req),
      header: (name) => headerOf(req, name),
      refresh: () =>
        refreshOrNull(authenticate(deps.authenticators, route.access, req, deps.clock(), readRaw)),
      body,
      take: async (budget, holder) => {
        await deps.budgets[budget].take(budgetHolderOf(holder, ip), deps.clock())
      },
      readUpload: () => uploadOf(route, req),
      once: deps.once,
    }
    const isKeyed = route.repeatable === true && req.headers['idempotency-key'] !== undefined
    const keyed = isKeyed ? await readKeyedRequest(req, call, readRaw, route.repeatableApartFrom) : null
    const answer = await (keyed === null
      ? route.handler(call)
      : deps.answerOnce(keyed, () => route.handler(call)))
    if (answer.stream) writeStream(deps.log, res, { ...answer, stream: answer.stream }, requestId, headers)
    else writeAnswer(res, answer, requestId, headers)
  } catch (thrown) {
    writeError(deps.log, req, res, thrown, requestId)
    if (!req.readableEnded) req.resume()
  } finally {
    place?.leave()
  }
  deps.observe(route, res.statusCode, (performance.now() - startedAt) / 1000)
}

/** How old the answer to who is calling, and when, may be before it is asked for again. */
const STALE_MS = 1_000

/** A signature is good once, and covers the body, so that it was looked at when all was there. */
function isSigned(principal: Principal): boolean {
  return principal.kind === 'signature' || (principal.kind === 'apiKey' && principal.signedBy !== undefined)
}

/** Metrics count it; a line of the log for each would be load of its own. */
function turnAway({ log }: ServeDeps, req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const message = 'More requests than can be worked on at once'
  writeError(
    { error: log.debug, debug: log.debug },
    req,
    res,
    apiError('SERVICE_UNAVAILABLE', { message }),
    requestId,
  )
  req.resume()
}

/** Nothing is called by a name with a NUL in it, and PostgreSQL would not even look. */
function refuseNul(params: Record<string, string>): void {
  for (const name in params) if (params[name]?.includes('\0')) throw apiError('NOT_FOUND')
}

/** A credential that is refused by now stands for nobody; a failure of ours stays one. */
async function refreshOrNull(authenticating: Promise<Principal>): Promise<Principal | null> {
  try {
    return await authenticating
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function hasJsonBody(route: Route): boolean {
  return route.method !== 'GET' && route.method !== 'HEAD' && route.upload === undefined
}

async function uploadOf({ upload, path }: Route, req: IncomingMessage): Promise<Upload> {
  if (upload === undefined) throw new Error(`${path} takes no files`)
  return readUpload(req, upload)
}

/** AuthZEN knows 400 alone for a request that cannot be read. Source: AuthZEN Authorization API 1.0 §10.1.12. */
function jsonBodyOf(route: Route, req: IncomingMessage, raw: Buffer): unknown {
  try {
    return parseJsonBody(req, raw)
  } catch (error) {
    const isMediaType = error instanceof ApiError && error.code === 'UNSUPPORTED_MEDIA_TYPE'
    if (route.standard !== 'authzen' || !isMediaType) throw error
    throw apiError('MALFORMED_JSON', { message: error.message })
  }
}

/** Ids that are given back as they came; AuthZEN gives back any text. */
const REQUEST_IDS = { ours: /^[\w.:-]{1,128}$/, authzen: /^[\x20-\x7e]{1,512}$/ }

function requestIdOf(req: IncomingMessage, { standard }: Route): string {
  const given = headerOf(req, 'x-request-id')
  return given !== undefined && REQUEST_IDS[standard ?? 'ours'].test(given) ? given : randomUUID()
}

function budgetHolderOf(principal: Principal, ip: string): string {
  switch (principal.kind) {
    case 'apiKey':
      return principal.keyId
    case 'session':
      return principal.userId
    case 'signature':
      return principal.address
    case 'agent':
      return principal.svcId
    case 'nobody':
      return ip
  }
}

const NO_QUERY = new URLSearchParams()

function queryOf(req: IncomingMessage): URLSearchParams {
  const at = req.url?.indexOf('?') ?? -1
  return at < 0 ? NO_QUERY : new URLSearchParams(req.url?.slice(at + 1))
}

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
