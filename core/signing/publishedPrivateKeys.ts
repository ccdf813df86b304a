/**
 * The thumbprints of keys whose private half is printed in a standard or in our own examples, so that anyone can sign with
 * them.
 *
 * They are copied from examples into code, and must not identify anybody.
 */
export const PUBLISHED_PRIVATE_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421 B.1: test-key-rsa, test-key-rsa-pss, test-key-ecc-p256, test-key-ed25519 (also that of Web Bot Auth).
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 7515 A.3, RFC 7517 A.2, RFC 8037 A.1.
  'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  // test/vectors, which docs/agents.md refers to.
  'f3zNtNnYfgmEKsQyyHtmruOfJFzBi1lyb_D_2J9CDPo',
  'iAzi3C-OjPVWNyPopGebSBzQGxyqWSYHSp2clxH5mSI',
])
