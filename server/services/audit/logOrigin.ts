/**
 * The name of an audit log in checkpoints, which is the name of its key too: a URL without a scheme.
 *
 * It ends with the id under which the contract knows the log, so that a checkpoint says which log of the chain it means.
 *
 * Source: C2SP tlog-checkpoint "Note text"; C2SP signed-note "Signatures".
 */
export function logOrigin(publicUrl: string, logId: string): string {
  const { host, pathname } = new URL(publicUrl)
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}/audit/${logId}`
}
