/** Renders the usage text of the mirror. @param command How it was called. */
export function renderMirrorUsage(command: string): string {
  return `Mirrors the audit logs of a service to a second chain: each head that is final on the chain of the log and signed by it is
anchored there as well, under an account of yours, which pays the gas. The service needs to know nothing of it.

  ${command} --rpc URL --deploy
  ${command} --rpc URL --contract ADDRESS --service URL [--log ID] [--log-key KEY] [--every SECONDS] [--once]

  --rpc URL           JSON-RPC URL of a node of the second chain
  --deploy            deploys an AuditLog contract there, prints its address, and ends; any AuditLog contract does
  --contract ADDRESS  the AuditLog contract on the second chain
  --service URL       the service whose logs are mirrored
  --log ID            only this log; can be repeated. By default all that the service names: it then
                      decides how many you pay for
  --log-key KEY       key that must sign the checkpoints of the log that it names (verifierKey of GET /api/audit/key), or have
                      handed over to one that does; can be repeated. By default the one that the service names
  --every SECONDS     pause between two looks, 300 by default; each look anchors at most one head of each log
  --once              looks once

The private key of the account is in MIRROR_PRIVATE_KEY, or in a file:
  --key-file FILE     0x and 64 hexadecimal digits
  --confirmations N   blocks after which a transaction counts as final, 12 by default; 1 on a development chain
  --max-fee GWEI      highest fee per gas, 200 by default; above it, the head is mirrored later

What happens is printed as JSON lines: "extended" with the head and its transaction, and "alert" if a log contradicts its mirror,
or is not signed as it should be. Nothing is stored here: the mirror on chain is all that it needs to go on.

With --once it exits with 0 if every log is mirrored, with 1 if one must not be, and with 2 if something could not be done.`
}
