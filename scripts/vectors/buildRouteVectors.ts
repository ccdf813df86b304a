import type { EndpointRoute } from '@svc/client'
import { compileRouteGate } from '@svc/client/gateway/compileRouteGate.ts'

const ROUTES: readonly EndpointRoute[] = [
  { pattern: '/**', minAccessLevel: 'restricted' },
  { pattern: '/orders/**', minAccessLevel: 'read-only' },
  { pattern: '/orders/**', method: 'POST', minAccessLevel: 'standard' },
  { pattern: '/orders/**', method: 'DELETE', minAccessLevel: 'full' },
  { pattern: '/search', method: 'post', minAccessLevel: 'restricted' },
  { pattern: '/Admin', minAccessLevel: 'internal' },
  { pattern: '/{pay,refund}/?[0-9]*', minAccessLevel: 'none', minIdentityProof: 'signature' },
  { pattern: '/files/*/[!a-c]/**/end', minAccessLevel: 'full', minIdentityProof: 'token' },
  { pattern: '/caf%C3%A9/*.json', minAccessLevel: 'full' },
  { pattern: '/{*,a}*/{b,c{/**,d}}', minAccessLevel: 'standard' },
]

const PATHS = [
  ...['/', '/orders', '/orders/', '/orders/1', '/ORDERS/1', '/orders/1/2', '/order', '/search', '/search/x'],
  ...['/admin', '/ADMIN', '/admin/', '/admin///', '//admin', '/%61dmin', '/%2561dmin', '/%25252561dmin'],
  ...[
    '/%2525252561dmin',
    '/admin;x',
    '/admin;x/y',
    '/admin?x',
    '/admin#x',
    ' /admin',
    '/admin%20',
    '/admin%00',
  ],
  ...['/orders/../admin', '/orders/%2e%2e/admin', '/orders/..;/admin', '/orders\\..\\admin', '/.', '/a..b'],
  ...['/orders/..?x', '/orders/..#x', '/orders/%2e%2e%3fx', '/orders?x=..', '/a..?x'],
  ...[
    'http://host/admin',
    'http:/admin',
    'https:///admin',
    '//host/admin',
    '/x%2fadmin',
    '/%2fadmin',
    '/%ff',
  ],
  ...['/ab/b', '/b', '/x/y/c', '/c/d/e', '/ab/cd', '/ba/b', '/ab/cx', '/aa/c/d'],
  ...['/pay/a1', '/pay/a12', '/pay/a', '/refund/x99', '/REFUND/x9', '/refunds/x9', '/pay/a1/', '/pay/%611'],
  ...[
    '/files/x/d/end',
    '/files/x/a/end',
    '/files/x/d/e/f/end',
    '/files//d/end',
    '/files/x/D/End/',
    '/files/x/dd/end',
  ],
  ...[
    '/café/menu.json',
    '/caf%C3%A9/menu.json',
    '/CAFÉ/MENU.JSON',
    '/caf%E9/menu.json',
    '/café/.json',
    '/café/a/b.json',
  ],
  ...[
    ` https:%2f%2fh;x/${'a'.repeat(700)};p%3bq%3fz?q;z%23k#r;y%20 `,
    `/x/${'a'.repeat(1_400)}?q=%2f%20`,
    `/Admin?q=${'a'.repeat(1_400)}%2f%20`,
  ],
  ...['/ΣΑΣ', '/\u{1f916}', '/orders/\u{1f916}', 'orders', '*', ''],
]

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'get', 'delete']
const SHOWN = [
  ['none', 'none'],
  ['restricted', 'none'],
  ['read-only', 'token'],
  ['standard', 'challenge'],
  ['full', 'token'],
  ['full', 'signature'],
  ['internal', 'signature'],
  ['unknown', 'signature'],
  ['full', 'unknown'],
] as const

const NOT_ROUTES = [
  ...[
    '',
    '/a**',
    '/**a',
    '/[',
    '/[]',
    '/{a',
    '/a}',
    '/a\\b',
    '/\u0000',
    '/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
    '/{*,a}*b',
  ],
  ...['/{{{{{{{{{a}}}}}}}}}', `/${'a'.repeat(512)}`],
].map((pattern) => ({ pattern, minAccessLevel: 'none' }))
const WRONG_VALUES = [
  { pattern: '/', minAccessLevel: 'root' },
  { pattern: '/', minAccessLevel: 'none', minIdentityProof: 'password' },
]

/**
 * Builds requests with what they lack for the routes of an endpoint, and routes that are refused.
 *
 * `lacks` is in the order of `shown`: `-` for nothing, `l` for a higher access level, otherwise the proof that is required.
 *
 * Source: Spec: Client library contract (`routes[].minAccessLevel`).
 */
export function buildRouteVectors(): object {
  const findFault = compileRouteGate(ROUTES)
  const withoutRoutes = compileRouteGate([])
  const lacksOf = (gate: typeof findFault, method: string, path: string) =>
    SHOWN.map(([accessLevel, identityProof]) => {
      const fault = gate(method, path, { accessLevel, identityProof })
      if (fault === undefined) return '-'
      return fault.lacks === 'accessLevel' ? 'l' : fault.minIdentityProof
    }).join(' ')
  const requests = METHODS.flatMap((method) => PATHS.map((path) => ({ method, path })))
  return {
    ...{ routes: ROUTES, shown: SHOWN },
    requests: requests.map(({ method, path }) => ({ method, path, lacks: lacksOf(findFault, method, path) })),
    withoutRoutes: METHODS.map((method) => ({
      method,
      path: '/',
      lacks: lacksOf(withoutRoutes, method, '/'),
    })),
    refusedRoutes: [...NOT_ROUTES, ...WRONG_VALUES],
  }
}
