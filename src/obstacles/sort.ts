/** Gaps of Ciura 2001, continued by a factor of 2.25. */
const GAPS = [1, 4, 10, 23, 57, 132, 301, 701, 1577, 3548, 7983, 17961, 40412, 90927, 204585, 460316]

/** Sorts the first `count` numbers upwards, in place and without a view (Shell's sort). */
export function sortUpwards(numbers: Int32Array, count: number): void {
  for (let g = GAPS.length - 1; g >= 0; g--) {
    const gap = GAPS[g]!
    for (let i = gap; i < count; i++) {
      const number = numbers[i]!
      let j = i
      for (; j >= gap && numbers[j - gap]! > number; j -= gap) numbers[j] = numbers[j - gap]!
      numbers[j] = number
    }
  }
}
