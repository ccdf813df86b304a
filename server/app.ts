import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { countHosts } from '@svc/core/url/countHosts.ts'
import express, { type NextFunction, type Request, type Response } from 'express'
import helmet from 'helmet'
import { apiError } from './errors.ts'
import { answerBrokenRequest } from './middleware/answerBrokenRequest.ts'
import { createPathFinder } from './middleware/createPathFinder.ts'
import { createPreflight } from './middleware/createPreflight.ts'
import { type Route, type ServeDeps, serve } from './middleware/serve.ts'
import { serveDocs } from './middleware/serveDocs.ts'
import { servePrecompressed } from './middleware/servePrecompressed.ts'

/** Paths inside the dashboard, which routes them itself. Files have a dot in their names. */
const DASHBOARD_PAGE = /^\/[^.]*$/

/** Paths for programs, below which there are no pages. */
const MACHINES_PATHS = /^\/(api|access|\.well-known|registration-files)(\/|$)/i

/** Caching of files whose names change with their content. */
const NEVER_CHANGES = { immutable: true, maxAge: '1y' }

const VERIFY_PATH = '/api/agents/verify-access'

/** The pages that the service shows, built into files whose names change with their content under `assets/`. */
type Pages = {
  dashboardRoot: string
  docsRoot: string
  /** Whether browsers reach the service by HTTPS. */
  isHttps: boolean
  /** URL of the node that the proof pages ask; null if there is none. */
  publicRpcUrl: string | null
}

/**
 * Time limits for sending headers and the whole request, which is long for an upload, so that many slow clients cannot
 * occupy the connections. The error catalogue names both figures.
 */
const SENDING_TIMES = { headersTimeout: 10_000, requestTimeout: 150_000, connectionsCheckingInterval: 2_000 }

/**
 * An idle connection is closed, because a client that does not read its response would hold it forever. This comes later
 * than the limit for a client that sends nothing, which gets an error.
 */
const STALL_MS = 160_000

/**
 * A connection without a request stays open for longer than proxies keep theirs (nginx and AWS 60 s, Caddy 120 s). If it
 * were closed first, a proxy would send a request on it meanwhile and answer 502, because it must not repeat a POST.
 */
const KEEP_ALIVE_MS = 130_000

/** node:http would reject a request without a host in its own format. */
const HTTP_OPTIONS = { ...SENDING_TIMES, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }

/**
 * Handles unknown and undecodable paths like every other request.
 *
 * @param meant A path that exists and is like it; null if there is none.
 */
const buildNotFound = (meant: string | null): Route => ({
  method: 'GET',
  path: '*',
  access: 'anyone',
  budget: 'public',
  handler: () => {
    throw apiError(
      'NOT_FOUND',
      meant === null ? {} : { message: `There is no such path; \`${meant}\` is one.` },
    )
  },
})
const NOT_FOUND = buildNotFound(null)

/** Handles requests without a host or with several. Source: RFC 9112 §3.2. */
const NOT_ONE_HOST: Route = {
  ...NOT_FOUND,
  handler: () => {
    throw apiError('MALFORMED_REQUEST', { headers: { Connection: 'close' } })
  },
}

/** Handles unsupported methods of a known path. Source: RFC 9110 §15.5.6. */
const buildMethodNotAllowed = (path: string, methods: ReadonlySet<string>): Route => ({
  method: 'GET',
  path,
  access: 'anyone',
  budget: 'public',
  handler: () => {
    const allowed = [...methods].join(', ')
    throw apiError('METHOD_NOT_ALLOWED', {
      message: `The path does not support this method; it supports ${allowed}.`,
      headers: { Allow: allowed },
    })
  },
})

/**
 * The rows of each path, in the order of the table: the methods of a path are settled before a later pattern can match it
 * (`/api/agents/register` is no `/api/agents/:id`).
 */
function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const byPath = new Map<string, Route[]>()
  for (const route of routes) {
    const rows = byPath.get(route.path)
    if (rows === undefined) byPath.set(route.path, [route])
    else rows.push(route)
  }
  return byPath
}

/** HEAD is allowed wherever GET is, and OPTIONS where pages of other origins may read. */
function methodsOf(rows: readonly Route[]): ReadonlySet<string> {
  const methods = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return new Set([...methods, ...(isPublic(rows) ? ['OPTIONS'] : [])])
}

function isPublic(rows: readonly Route[]): boolean {
  return rows.some(({ isPublicDocument }) => isPublicDocument)
}

/**
 * Creates the HTTP server: Express for the route table, the dashboard and the documentation, and a fast path for
 * verify-access.
 *
 * verify-access is called for every request that a counterparty receives, and Express's routing is a sixth of the cost of a
 * small one. The fast path passes exactly that method and path to the same `serve` with the same row (decision 0006).
 */
export function createApp(deps: ServeDeps, routes: readonly Route[], pages: Pages): Server {
  const app = express()
  const run = (route: Route, req: IncomingMessage, res: ServerResponse, params: Record<string, string>) =>
    // Probes and scrapes would hide the requests.
    deps.trace === undefined || route.vital
      ? serve(deps, route, req, res, params)
      : deps.trace(route, req, res, () => serve(deps, route, req, res, params))
  /** A failure of `serve` itself closes only that connection and never ends the process. */
  const answer: typeof run = (route, req, res, params) =>
    run(route, req, res, params).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a request could not be answered')
      res.destroy()
    })
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  for (const [path, rows] of groupByPath(routes)) {
    const at = app.route(path)
    for (const route of rows) {
      const method = route.method.toLowerCase() as 'get'
      at[method]((req: Request, res: Response) => answer(route, req, res, paramsOf(req)))
    }
    const methods = methodsOf(rows)
    if (isPublic(rows)) {
      const preflight = createPreflight(path, methods)
      at.options((req: Request, res: Response) => answer(preflight, req, res, {}))
    }
    const other = buildMethodNotAllowed(path, methods)
    at.all((req: Request, res: Response) => answer(other, req, res, {}))
  }
  const findMeantPath = createPathFinder(routes.map(({ path }) => path))
  const notFound = (req: Request, res: Response) =>
    answer(buildNotFound(findMeantPath(req.originalUrl)), req, res, {})
  app.route(MACHINES_PATHS).all(notFound)
  const assets = join(pages.dashboardRoot, 'assets')
  app.use(
    '/assets',
    assetHeaders,
    servePrecompressed(assets, NEVER_CHANGES),
    express.static(assets, NEVER_CHANGES),
  )
  app.use(pageHeaders(pages))
  app.use('/docs', serveDocs(pages.docsRoot))
  app.use(express.static(pages.dashboardRoot))
  app.get(DASHBOARD_PAGE, (req: Request, res: Response, next: NextFunction) => {
    res.vary('Accept')
    if (!req.accepts('html')) return next()
    res.sendFile(join(pages.dashboardRoot, 'index.html'), (error) => error && next())
  })
  app.use(notFound)
  app.use((_error: unknown, req: Request, res: Response, _next: NextFunction) => notFound(req, res))
  const verify = routes.find((route) => route.method === 'POST' && route.path === VERIFY_PATH)
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    if (!hasOneHost(req)) answer(NOT_ONE_HOST, req, res, {})
    else if (verify && req.method === 'POST' && req.url === VERIFY_PATH) answer(verify, req, res, {})
    else app(req, res)
  }
  const server = createServer(HTTP_OPTIONS, onRequest)
  server.timeout = STALL_MS
  server.on('clientError', answerBrokenRequest)
  // Unknown expectations may be ignored. Source: RFC 9110 §10.1.1.
  server.on('checkExpectation', onRequest)
  return server
}

/** Whether a request says once for which host it is; one of HTTP/1.0 may say nothing. */
function hasOneHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  const hosts = countHosts(rawHeaders)
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}

/**
 * Scripts, styles, fonts and requests must come from the page's own origin, and no page may frame it, so that an injected
 * script could not send data anywhere. The one exception is the node that the operator publishes for the proof pages. Inline
 * styles are allowed, because the component kit writes them.
 *
 * A page on plain HTTP must not upgrade requests to HTTPS, where nothing listens. Whether other hosts below this one have
 * HTTPS is not known here, so HSTS does not include them.
 */
function pageHeaders({ isHttps, publicRpcUrl }: Pages) {
  return helmet({
    strictTransportSecurity: isHttps && { includeSubDomains: false },
    contentSecurityPolicy: {
      directives: {
        styleSrc: [`'self'`, `'unsafe-inline'`],
        fontSrc: [`'self'`, 'data:'],
        connectSrc: [`'self'`, ...(publicRpcUrl === null ? [] : [new URL(publicRpcUrl).origin])],
        frameAncestors: [`'none'`],
        upgradeInsecureRequests: isHttps ? [] : null,
      },
    },
  })
}

/** The headers of a page are half a kilobyte, which a slow network would carry with each of its files for nothing. */
function assetHeaders(_req: Request, res: Response, next: NextFunction): void {
  res.set({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' })
  next()
}

function paramsOf(req: Request): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(req.params)) {
    if (typeof value === 'string') params[name] = value
  }
  return params
}
