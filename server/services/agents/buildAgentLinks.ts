/** Where what the service publishes about an agent is found. */
export function buildAgentLinks(publicUrl: string, svcId: string) {
  return {
    agentCardUrl: `${publicUrl}/.well-known/agents/${svcId}.json`,
    /** The agent's token URI. */
    registrationFileUrl: `${publicUrl}/registration-files/${svcId}.json`,
    /** `X-Svc-Verify`: where a counterparty has the agent's requests verified. */
    verificationEndpoint: `${publicUrl}/api/agents/verify-access`,
  }
}
