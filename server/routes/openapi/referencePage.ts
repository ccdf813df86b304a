type JsonObject = Record<string, unknown>
type Body = { content?: Record<string, { example?: unknown }> }

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
  nav { columns: 18rem; font-size: .875rem }
  nav ul { break-inside: avoid; list-style: none; margin: 0 0 1rem; padding: 0 }
  a { color: LinkText }
  section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .75rem 0 }
  h2 { font-size: 1rem; margin: 0 }
  p { margin: .25rem 0 }
  pre { overflow: auto; padding: .75rem; background: color-mix(in srgb, currentColor 7%, transparent) }
`

/** Renders the OpenAPI document as one HTML page without scripts, with an example of every request and response. */
export function referencePage(document: JsonObject): string {
  const info = document.info as { title: string; version: string; description: string }
  const operations = listOperations(document)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(info.title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(info.title)}</h1>
<p>${escapeHtml(info.description)} API version ${escapeHtml(info.version)}; machine-readable as <a href="/api/openapi.json">openapi.json</a>.</p>
${renderContents(operations)}
${operations.map(renderSection).join('\n')}
</body>
</html>
`
}

/** An operation, with its identifier and its name escaped. */
type Operation = { id: string; name: string; operation: JsonObject }

function listOperations(document: JsonObject): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, JsonObject>>).flatMap(
    ([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => ({
        id: escapeHtml(String(operation.operationId)),
        name: `${method.toUpperCase()} ${escapeHtml(path)}`,
        operation,
      })),
  )
}

/** Renders links to the operations, by subject. */
function renderContents(operations: readonly Operation[]): string {
  const subjectOf = ({ operation }: Operation) => String((operation.tags as readonly string[])[0])
  const lists = Object.entries(Object.groupBy(operations, subjectOf)).map(
    ([subject, some = []]) =>
      `<ul><li><strong>${escapeHtml(subject)}</strong></li>${some
        .map(({ id, name }) => `<li><a href="#${id}"><code>${name}</code></a></li>`)
        .join('')}</ul>`,
  )
  return `<nav aria-label="Operations">${lists.join('')}</nav>`
}

function renderSection({ id, name, operation }: Operation): string {
  const responses = Object.entries(operation.responses as Record<string, Body & { description: string }>)
  const body = operation.requestBody as Body | undefined
  const success = responses.find(([status]) => Number(status) < 300)?.[1]
  return `<section id="${id}">
<h2><code>${name}</code></h2>
<p>${inlineHtml(String(operation.summary))}</p>
<p>${inlineHtml(String(operation.description))}</p>
<p>${responses.map(([status, { description }]) => `<code>${status}</code> ${inlineHtml(description)}`).join(' · ')}</p>
${renderExample('Request', body)}${renderExample('Response', success)}
</section>`
}

function renderExample(title: string, body: Body | undefined): string {
  const example = Object.values(body?.content ?? {}).find((media) => media.example !== undefined)?.example
  if (example === undefined) return ''
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return `<details><summary>${title}</summary><pre>${escapeHtml(text)}</pre></details>`
}

/** Renders text in which backticks enclose code. */
function inlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
