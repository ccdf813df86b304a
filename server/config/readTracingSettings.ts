type TracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  /** Each `name=value` with a percent-encoded value. */
  OTEL_EXPORTER_OTLP_HEADERS: readonly string[]
  OTEL_TRACES_SAMPLER_ARG: number
}

/**
 * Returns where traces are sent, with which headers, and the share of requests that are traced; null if nowhere.
 *
 * Source: OpenTelemetry Protocol Exporter, specification of its variables.
 */
export function readTracingSettings(variables: TracingVariables) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = variables
  if (endpoint === undefined) return null
  return {
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(headers.map(readHeader)),
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
  }
}

function readHeader(header: string): [name: string, value: string] {
  const at = header.indexOf('=')
  return [header.slice(0, at), decodeURIComponent(header.slice(at + 1))]
}
