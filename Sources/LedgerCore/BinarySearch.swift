/// How many of so many places, from the first on, meet a condition that none meets behind one that does not (binary search).
@inlinable
package func leadingCount(of count: Int, where meets: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if meets(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}

extension Array {
  /// How many elements, from the first on, meet a condition that none meets behind one that does not.
  @inlinable
  package func prefixCount(where meets: (Element) -> Bool) -> Int {
    leadingCount(of: count) { meets(self[$0]) }
  }
}
