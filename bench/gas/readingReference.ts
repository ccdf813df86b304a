/**
 * Gas of reading on the reference, first without a filter, then for one tag, by the number of clients with one feedback
 * each, or of feedbacks of one client.
 *
 * Measured with the same calls on the ERC-8004 reference contracts 2.0.0, compiled with their own settings (solc 0.8.24 for
 * Shanghai, 200 runs, over the intermediate representation) and without their proxy.
 */
export const READING_REFERENCE = {
  clients: {
    50: { getSummary: [354_049, 484_798], readAllFeedback: [760_061, 822_202] },
    200: { getSummary: [1_328_360, 1_851_070], readAllFeedback: [2_988_117, 3_247_678] },
    800: { getSummary: [5_226_590, 7_324_223], readAllFeedback: [12_365_391, 13_590_462] },
    1600: { getSummary: [10_426_406, 14_641_436], readAllFeedback: [26_025_597, 28_975_515] },
  },
  feedbacks: {
    100: { getSummary: [384_139, 645_379], readAllFeedback: [1_151_471, 1_277_326] },
    200: { getSummary: [736_039, 1_258_438], readAllFeedback: [2_290_688, 2_549_651] },
    400: { getSummary: [1_439_839, 2_485_026], readAllFeedback: [4_625_842, 5_173_518] },
    800: { getSummary: [2_847_439, 4_940_076], readAllFeedback: [9_523_023, 10_738_127] },
    1600: { getSummary: [5_662_639, 9_857_676], readAllFeedback: [20_224_885, 23_134_846] },
    3200: { getSummary: [11_293_039, 19_722_876], readAllFeedback: [45_258_610, 52_998_283] },
  },
} as const satisfies Record<'clients' | 'feedbacks', Record<number, Record<View, readonly [number, number]>>>

type View = 'getSummary' | 'readAllFeedback'
