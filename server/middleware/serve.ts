import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, apiError } from '../errors.ts'
import type { KeyedRequest, Once } from '../services/idempotency/answerOnce.ts'
import type { Principal } from '../services/principal.ts'
import { allowAnyOrigin } from './allowAnyOrigin.ts'
import { type Authenticators, authenticate, authenticateAgain } from './authenticate.ts'
import type { Access } from './authorise.ts'
import type { Answer, Handler, RepeatableCall, WaitingCall } from './call.ts'
import type { CallerAddress } from './callerAddress.ts'
import type { HostPlaces, HostWait } from './createHostPlaces.ts'
import type { LoadGate } from './createLoadGate.ts'
import { markDeprecated } from './markDeprecated.ts'
import type { BudgetHolder, BudgetName, RateBudget } from './rateBudget.ts'
import { parseJsonBody, readBody } from './readBody.ts'
import { type Repetition, readKeyedRequest } from './readKeyedRequest.ts'
import { readUpload, type Upload, type UploadRules } from './readUpload.ts'
import { writeAnswer } from './writeAnswer.ts'
import { type ErrorLog, writeError } from './writeError.ts'
import { writeStream } from './writeStream.ts'

/** One row of the route table. */
export type Route = Repetition & {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Express path, `:name` for parameters. */
  path: string
  access: Access
  /** `none`: answered however many calls there are, because operators and other services depend on it. */
  budget: BudgetName | 'none'
  /** Whether a repetition under the same Idempotency-Key gets the original response. */
  repeatable?: boolean
  /** The external standard that the operation follows where it differs from ours. */
  standard?: 'authzen' | undefined
  /** Set where the handler may wait for hosts that users name; without it, it may not. */
  waitsForHost?: HostWait | undefined
  /** Set where the response matters most when there is no room for other requests. */
  vital?: true
  /** Set where pages of any origin may read the response. */
  isPublicDocument?: true
  /** Set where the body contains files instead of JSON; the handler triggers reading it. */
  upload?: UploadRules
  handler: Handler
}

export type ServeDeps = {
  authenticators: Authenticators
  budgets: Record<BudgetName, RateBudget<BudgetHolder>>
  gate: LoadGate
  hostPlaces: HostPlaces
  callerAddress: CallerAddress
  clock: () => number
  log: ErrorLog
  answerOnce: (request: KeyedRequest, work: () => Promise<Answer> | Answer) => Promise<Answer>
  once: Once
  observe: (route: Route, status: number, seconds: number) => void
  /** Surrounds a request with its trace; undefined if none are wanted. */
  trace?:
    | ((route: Route, req: IncomingMessage, res: ServerResponse, work: () => Promise<void>) => Promise<void>)
    | undefined
}

/**
 * Processes a request in this order: credential, rate budget, body, handler, response. Express and the fast path of
 * verify-access both end here, so there is only one path to reason about.
 */
export async function serve(
  deps: ServeDeps,
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  given: Record<string, string>,
): Promise<void> {
  const requestId = requestIdOf(req, route)
  if (route.isPublicDocument) allowAnyOrigin(res)
  const startedAt = performance.now()
  const place = route.vital ? null : deps.gate.enter()
  if (place === null && !route.vital) {
    turnAway(deps, req, res, requestId)
    deps.observe(route, res.statusCode, (performance.now() - startedAt) / 1000)
    return
  }
  let now = deps.clock()
  let headers: Record<string, string> = {}
  let raw: Promise<Buffer> | undefined
  const readRaw = () => {
    raw ??= readBody(req, place)
    return raw
  }
  try {
    const ip = deps.callerAddress(req)
    // Recovering a signer takes a millisecond of the event loop, so anonymous callers pay for it first.
    if (route.access !== 'anyone' && req.headers['x-svc-signature'] !== undefined) {
      await deps.budgets.public.take(budgetHolderOf(NOBODY, ip), now)
    }
    let principal = await authenticate(deps.authenticators, route.access, req, now, readRaw)
    markDeprecated(principal, req, res)
    const taken =
      route.budget === 'none' ? {} : deps.budgets[route.budget].take(budgetHolderOf(principal, ip), now)
    headers = taken instanceof Promise ? await taken : taken
    const params = paramsOf(given)
    const body = hasJsonBody(route) ? jsonBodyOf(route, req, await readRaw()) : undefined
    const arrivedAt = deps.clock()
    const again = () => authenticateAgain(deps.authenticators, route.access, req, deps.clock(), principal)
    // A request that was not complete at once is judged by the state when it is: the key may have been revoked or the
    // approval expired meanwhile.
    if (arrivedAt - now > AT_ONCE_MS) {
      principal = await again()
      now = arrivedAt
    }
    const call: RepeatableCall & WaitingCall = {
      requestId,
      principal,
      ip,
      now,
      params,
      query: queryOf(req),
      header: (name) => headerOf(req, name),
      refresh: () => refreshOrNull(again()),
      body,
      take: async (budget, holder) => {
        await deps.budgets[budget].take(budgetHolderOf(holder, ip), deps.clock())
      },
      readUpload: async () => {
        const upload = await uploadOf(route, req)
        refuseLostRights(principal, await again())
        return upload
      },
      once: deps.once,
      waitForHost: async (work) => {
        const result = await waitForHost(deps, route, budgetHolderOf(principal, ip), work)
        refuseLostRights(principal, await again())
        return result
      },
    }
    const isKeyed = route.repeatable === true && req.headers['idempotency-key'] !== undefined
    const keyed = isKeyed ? await readKeyedRequest(req, call, readRaw, route) : null
    const answer = await (keyed === null
      ? route.handler(call)
      : deps.answerOnce(keyed, () => route.handler(call)))
    if (answer.stream) writeStream(deps.log, res, { ...answer, stream: answer.stream }, requestId, headers)
    else writeAnswer(res, answer, requestId, headers)
  } catch (thrown) {
    writeError(deps.log, req, res, thrown, requestId, headers)
    if (!req.readableEnded) req.resume()
  } finally {
    place?.leave()
  }
  deps.observe(route, res.statusCode, (performance.now() - startedAt) / 1000)
}

/** Waits in a place of the caller; an operation that does not say in the table that it waits has none. */
function waitForHost<Result>(
  { hostPlaces }: ServeDeps,
  { path, waitsForHost }: Route,
  holder: BudgetHolder,
  work: () => Promise<Result>,
): Promise<Result> {
  if (waitsForHost === undefined) throw new Error(`${path} does not say that it waits for hosts`)
  return hostPlaces.hold(waitsForHost, holder, work)
}

/** How long a request may take to be complete before its caller is authenticated again, which is a look-up in caches. */
const AT_ONCE_MS = 10

/**
 * Refuses a request whose caller may do less than before it waited: its operation has read what the caller could do then.
 *
 * @throws ApiError SERVICE_UNAVAILABLE; a repetition is judged by what the caller may do now.
 */
function refuseLostRights(before: Principal, now: Principal): void {
  if (!('writesFor' in before) || !('writesFor' in now)) return
  const isLost =
    [...before.actsFor].some((id) => !now.actsFor.has(id)) ||
    [...before.writesFor].some((id) => !now.writesFor.has(id))
  if (!isLost) return
  const message = 'What you may do has changed while the request waited; send it again.'
  throw apiError('SERVICE_UNAVAILABLE', { message, headers: { 'Retry-After': '1' } })
}

/** Only metrics count it: a log line for each would itself cause load. */
function turnAway({ log }: ServeDeps, req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const message = 'Too many concurrent requests'
  writeError(
    { ...log, unavailable: log.debug },
    req,
    res,
    apiError('SERVICE_UNAVAILABLE', { message }),
    requestId,
  )
  req.resume()
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * UUIDs are the same in upper case. Source: RFC 9562 §4. No name contains a NUL, and PostgreSQL would reject the query.
 */
function paramsOf(given: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in given) {
    const value = given[name] ?? ''
    if (value.includes('\0')) throw apiError('NOT_FOUND')
    params[name] = UUID.test(value) ? value.toLowerCase() : value
  }
  return params
}

/** Null for a credential that is no longer accepted; other failures are rethrown. */
async function refreshOrNull(authenticating: Promise<Principal>): Promise<Principal | null> {
  try {
    return await authenticating
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const BODILESS: ReadonlySet<Route['method']> = new Set(['GET', 'HEAD', 'OPTIONS'])

function hasJsonBody(route: Route): boolean {
  return !BODILESS.has(route.method) && route.upload === undefined
}

async function uploadOf({ upload, path }: Route, req: IncomingMessage): Promise<Upload> {
  if (upload === undefined) throw new Error(`${path} takes no files`)
  return readUpload(req, upload)
}

/** AuthZEN only knows 400 for an unreadable request. Source: AuthZEN Authorization API 1.0 §10.1.12. */
function jsonBodyOf(route: Route, req: IncomingMessage, raw: Buffer): unknown {
  try {
    return parseJsonBody(req, raw)
  } catch (error) {
    const isMediaType = error instanceof ApiError && error.code === 'UNSUPPORTED_MEDIA_TYPE'
    if (route.standard !== 'authzen' || !isMediaType) throw error
    throw apiError('MALFORMED_JSON', { message: error.message })
  }
}

/** Request ids that are echoed as received; AuthZEN echoes any text. */
const REQUEST_IDS = { ours: /^[\w.:-]{1,128}$/, authzen: /^[\x20-\x7e]{1,512}$/ }

function requestIdOf(req: IncomingMessage, { standard }: Route): string {
  const given = headerOf(req, 'x-request-id')
  return given !== undefined && REQUEST_IDS[standard ?? 'ours'].test(given) ? given : randomUUID()
}

const NOBODY: Principal = { kind: 'nobody' }

function budgetHolderOf(principal: Principal, ip: string): BudgetHolder {
  const isSession = principal.kind === 'session'
  if (principal.kind === 'apiKey')
    return { caller: principal.keyId, account: principal.personId, ip, isSession }
  const caller = callerOf(principal, ip)
  return { caller, account: caller, ip, isSession }
}

function callerOf(principal: Exclude<Principal, { kind: 'apiKey' }>, ip: string): string {
  switch (principal.kind) {
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
