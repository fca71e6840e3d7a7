/// Task texts of 15 to 90 bytes, each a function of one number.
///
/// A task keeps the number instead of the text, so two million tasks fit into little memory and
/// the text can be made again when the state is printed.
struct BodyText {
  static let sizes = 15...90

  private var random: SplitMix64
  private(set) var bytes: [UInt8] = []

  init(seed: UInt64, reusing buffer: [UInt8] = []) {
    random = SplitMix64(seed: seed)
    bytes = buffer
    bytes.removeAll(keepingCapacity: true)
    if random.chance(percent: 4) { composePhrase() } else { composeSentence() }
    while bytes.count < Self.sizes.lowerBound { add(Vocabulary.moments) }
  }

  private mutating func composePhrase() {
    add(Vocabulary.phrases)
    if random.chance(percent: 65) {
      addIfItFits(Vocabulary.phraseEnds.pick(&random), separated: false)
    }
  }

  private mutating func composeSentence() {
    add(Vocabulary.verbs)
    if random.chance(percent: 35) { add(Vocabulary.qualities) }
    // Quotes must be escaped in JSON: one text in a hundred makes every reader prove it can.
    if random.chance(percent: 1) { addQuoted(Vocabulary.things) } else { add(Vocabulary.things) }
    if random.chance(percent: 55) {
      add(Vocabulary.links)
      add(Vocabulary.others)
    }
    if random.chance(percent: 15) { addNumber() }
    if random.chance(percent: 35) { add(Vocabulary.moments) }
    if random.chance(percent: 6) { add(Vocabulary.symbols) }
  }

  private mutating func add(_ list: WordList) {
    addIfItFits(list.pick(&random), separated: true)
  }

  private mutating func addQuoted(_ list: WordList) {
    let quote = [UInt8(ascii: "\"")]
    addIfItFits(quote + list.pick(&random) + quote, separated: true)
  }

  private mutating func addNumber() {
    addIfItFits(Array("no. \(1 + random.below(9999))".utf8), separated: true)
  }

  private mutating func addIfItFits(_ word: [UInt8], separated: Bool) {
    let blank = separated && !bytes.isEmpty ? 1 : 0
    guard bytes.count + blank + word.count <= Self.sizes.upperBound else { return }
    if blank == 1 { bytes.append(UInt8(ascii: " ")) }
    bytes.append(contentsOf: word)
  }
}
