import { renderTypeScript } from './renderTypeScript.js'
import { repairMarkup } from './repairMarkup.js'

/**
 * Shows the API reference: the document of the service that serves this page, rendered by Scalar.
 *
 * Requests to try go to the page's own origin. Nothing is sent or loaded from elsewhere, which the service's
 * Content-Security-Policy would refuse, too.
 */
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head']

/** Of Scalar's own examples, those with curl and Python's `requests` are shown, beside the one in TypeScript. */
const OTHER_LANGUAGES =
  'c clojure csharp dart fsharp go http java js kotlin node objc ocaml php powershell r ruby rust swift'
const HIDDEN = {
  ...Object.fromEntries(OTHER_LANGUAGES.split(' ').map((language) => [language, true])),
  shell: ['wget', 'httpie'],
  python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
}

const content = await (await fetch('/api/openapi.json')).json()
const operations = Object.entries(content.paths).flatMap(([path, methods]) =>
  METHODS.filter((method) => methods[method]).map((method) => ({ path, method, ...methods[method] })),
)
for (const { path, method } of operations) {
  const operation = content.paths[path][method]
  operation['x-codeSamples'] = [
    {
      lang: 'typescript',
      label: 'TypeScript',
      source: renderTypeScript(window.location.origin, method, path, operation),
    },
  ]
  for (const response of Object.values(operation.responses)) showOneMediaType(response)
}

/** The operation of an address such as `#postMcp`, which was the form before the reference had groups. */
const named = operations.find(({ operationId }) => `#${operationId}` === window.location.hash)
if (named) window.history.replaceState(null, '', `#tag/${slugOf(named.tags[0])}/${named.operationId}`)

window.Scalar.createApiReference('#reference', {
  content,
  servers: [{ url: window.location.origin }],
  hiddenClients: HIDDEN,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  generateTagSlug: ({ name }) => slugOf(name),
  generateOperationSlug: ({ operationId }) => operationId,
  defaultOpenAllTags: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
})
repairMarkup(document.body)

/** Scalar puts the choice between several media types into a button, where neither keyboard nor screen reader finds it. */
function showOneMediaType(response) {
  const [first, ...others] = Object.keys(response.content ?? {})
  if (others.length === 0) return
  response.content = { [first]: response.content[first] }
  response.description += ` Also as ${others.map((type) => `\`${type}\``).join(' and ')}, if \`Accept\` names it.`
}

function slugOf(name) {
  return name.toLowerCase().replaceAll(' ', '-')
}
