/**
 * Renders a call of an operation in TypeScript, with the example of its body and the credential that it needs.
 *
 * @param {string} origin of the service.
 * @param {string} method in lower case.
 * @param {string} path as in the API document.
 * @param {object} operation of the API document.
 */
export function renderTypeScript(origin, method, path, { requestBody, security = [] }) {
  const example = requestBody?.content?.['application/json']?.example
  const needsKey = security.some((scheme) => 'apiKey' in scheme)
  const needsToken = !needsKey && security.some((scheme) => 'session' in scheme)
  const credential = needsKey ? 'SVC_API_KEY' : needsToken ? 'SVC_ACCESS_TOKEN' : null
  const headers = [
    ...(credential ? [`    authorization: \`Bearer \${process.env.${credential}}\`,`] : []),
    ...(example === undefined ? [] : [`    'content-type': 'application/json',`]),
  ]
  const lines = [
    `const response = await fetch('${origin}${path}', {`,
    ...(method === 'get' ? [] : [`  method: '${method.toUpperCase()}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(example === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(example, null, 2).replaceAll('\n', '\n  ')}),`]),
    '})',
    'console.log(response.status, await response.text())',
  ]
  return lines.join('\n').replace(', {\n})', ')')
}
