type Port = readonly [name: string, port: number]

/**
 * The environment variables that the kubelet adds to a pod for a Service, unless the pod has `enableServiceLinks: false`.
 *
 * Source: Kubernetes, pkg/kubelet/envvars/envvars.go, `FromServices`.
 */
export function serviceLinksOf(service: string, ports: readonly [Port, ...Port[]]): Record<string, string> {
  const host = '10.96.0.1'
  const prefix = variableOf(service)
  const links: Record<string, string> = {
    [`${prefix}_SERVICE_HOST`]: host,
    [`${prefix}_SERVICE_PORT`]: String(ports[0][1]),
    [`${prefix}_PORT`]: `tcp://${host}:${ports[0][1]}`,
  }
  for (const [name, port] of ports) {
    links[`${prefix}_SERVICE_PORT_${variableOf(name)}`] = String(port)
    links[`${prefix}_PORT_${port}_TCP`] = `tcp://${host}:${port}`
    links[`${prefix}_PORT_${port}_TCP_PROTO`] = 'tcp'
    links[`${prefix}_PORT_${port}_TCP_PORT`] = String(port)
    links[`${prefix}_PORT_${port}_TCP_ADDR`] = host
  }
  return links
}

const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_')
