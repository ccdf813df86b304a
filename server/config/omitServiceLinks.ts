const SERVICE_HOST = /^(.+)_SERVICE_HOST$/
/** What follows the name of a Service, except `PORT`. */
const LINK = /^(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
/** The value of `…_PORT`. */
const ADDRESS = /^(tcp|udp|sctp):\/\//

/**
 * Returns the environment without the variables that the kubelet adds for every Service of a namespace, unless a pod has
 * `enableServiceLinks: false`. Those of a Service `audit-log` begin with `AUDIT_LOG_`, like a setting.
 *
 * A name counts as one of them only if the host and the port of its Service are there as well, so that a misspelt setting
 * is still found. `CHAIN_PORT` is left out only if it is an address: set in the pod, it is the setting.
 *
 * Source: Kubernetes, "Service", environment variables; `kubelet/envvars`.
 */
export function omitServiceLinks(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const services = Object.keys(environment)
    .flatMap((name) => SERVICE_HOST.exec(name)?.[1] ?? [])
    .filter((service) => /^\d+$/.test(environment[`${service}_SERVICE_PORT`] ?? ''))
  const isLink = (name: string, value = '') =>
    services.some((service) => {
      if (!name.startsWith(`${service}_`)) return false
      const rest = name.slice(service.length + 1)
      return rest === 'PORT' ? ADDRESS.test(value) : LINK.test(rest)
    })
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => !isLink(name, value)))
}
