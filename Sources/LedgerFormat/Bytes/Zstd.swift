import CZstd
import LedgerCore

/// Compresses and decompresses with libzstd (RFC 8878). One at a time: it keeps its contexts.
package final class Zstd {
  /// Made on first use: who only reads needs none.
  private var madeCompressor: OpaquePointer?
  private let decompressor: OpaquePointer
  private var dictionaries: [Int32: OpaquePointer] = [:]
  private var decompressionDictionary: OpaquePointer?

  package init() throws(LedgerError) {
    guard let decompressor = ZSTD_createDCtx() else {
      throw LedgerError(.io, "cannot set up decompression", cause: "out of memory")
    }
    self.decompressor = decompressor
  }

  deinit {
    if let madeCompressor { ZSTD_freeCCtx(madeCompressor) }
    ZSTD_freeDCtx(decompressor)
    for dictionary in dictionaries.values { ZSTD_freeCDict(dictionary) }
    if let decompressionDictionary { ZSTD_freeDDict(decompressionDictionary) }
  }

  private func compressor() throws(LedgerError) -> OpaquePointer {
    if let madeCompressor { return madeCompressor }
    guard let compressor = ZSTD_createCCtx() else {
      throw LedgerError(.io, "cannot set up compression", cause: "out of memory")
    }
    madeCompressor = compressor
    return compressor
  }

  /// One zstd frame with the bytes.
  package func compress(_ bytes: [UInt8], level: Int32) throws(LedgerError) -> [UInt8] {
    let compressor = try compressor()
    return try collect(bytes, what: "compress") { target, source in
      ZSTD_compressCCtx(
        compressor, target.baseAddress, target.count, source.baseAddress, source.count, level)
    }
  }

  /// One zstd frame with the bytes, of which each part has statistics of its own.
  ///
  /// - Parameter parts: how many bytes each has; together all of them.
  func compress(
    _ bytes: [UInt8], parts: [Int], level: Int32
  ) throws(LedgerError) -> [UInt8] {
    guard parts.count > 1 else { return try compress(bytes, level: level) }
    let compressor = try compressor()
    ZSTD_CCtx_reset(compressor, ZSTD_reset_session_and_parameters)
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setPledgedSrcSize(compressor, UInt64(bytes.count))
    defer { ZSTD_CCtx_reset(compressor, ZSTD_reset_session_and_parameters) }
    return try collect(bytes, room: 16 * parts.count, what: "compress") { target, source in
      var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
      var input = ZSTD_inBuffer(src: source.baseAddress, size: 0, pos: 0)
      for (number, part) in parts.enumerated() {
        input.size += part
        let isLast = number == parts.count - 1
        var left = 1
        while left != 0 {
          // There is room for all of it: each call does something, or fails.
          left = ZSTD_compressStream2(
            compressor, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_flush)
          if ZSTD_isError(left) != 0 { return left }
        }
      }
      return output.pos
    }
  }

  /// One zstd frame with the bytes, made with the dictionary of the format.
  package func compressWithDictionary(_ bytes: [UInt8], level: Int32) throws(LedgerError) -> [UInt8]
  {
    let dictionary = try compressionDictionary(level: level)
    let compressor = try compressor()
    return try collect(bytes, what: "compress") { target, source in
      ZSTD_compress_usingCDict(
        compressor, target.baseAddress, target.count, source.baseAddress, source.count, dictionary)
    }
  }

  /// - Parameter room: how many bytes more than the usual the result may have.
  private func collect(
    _ bytes: [UInt8], room: Int = 0, what: String,
    _ body: (UnsafeMutableBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int
  ) throws(LedgerError) -> [UInt8] {
    var failure: String?
    let bytesMax = ZSTD_compressBound(bytes.count) + room
    let result = [UInt8](unsafeUninitializedCapacity: bytesMax) { target, count in
      let written = bytes.withUnsafeBufferPointer { body(target, $0) }
      if ZSTD_isError(written) != 0 {
        failure = String(cString: ZSTD_getErrorName(written))
      } else {
        count = written
      }
    }
    if let failure { throw LedgerError(.io, "cannot \(what) \(bytes.count) bytes", cause: failure) }
    return result
  }

  /// The bytes of one zstd frame, of which exactly `count` are expected.
  package func decompress(
    _ frame: [UInt8], count: Int, usingDictionary: Bool = false
  ) throws(LedgerError) -> [UInt8] {
    var failure: LedgerError?
    let result = [UInt8](unsafeUninitializedCapacity: count) { target, written in
      frame.withUnsafeBytes { source in
        do throws(LedgerError) {
          try decompress(
            source, into: UnsafeMutableRawBufferPointer(start: target.baseAddress, count: count),
            usingDictionary: usingDictionary)
          written = count
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return result
  }

  /// What the first block of a frame holds.
  ///
  /// - Parameter bytesMax: no more than that, or it is refused.
  func decompressStart(
    of blocks: ZstdBlocks, atMost bytesMax: Int
  ) throws(LedgerError) -> [UInt8] {
    let frame = blocks.first
    var written = 0
    let result = [UInt8](unsafeUninitializedCapacity: bytesMax) { target, count in
      written = ZSTD_decompressDCtx(
        decompressor, target.baseAddress, bytesMax, frame, frame.count)
      count = ZSTD_isError(written) == 0 ? written : 0
    }
    guard ZSTD_isError(written) == 0 else {
      throw LedgerError(
        .damaged, "cannot decompress the start of \(blocks.frame.count) bytes",
        cause: String(cString: ZSTD_getErrorName(written)))
    }
    return result
  }

  /// The bytes of one zstd frame that was made with the dictionary of the format.
  package func decompressFrame(_ frame: [UInt8], count: Int) throws(LedgerError) -> [UInt8] {
    try decompress(frame, count: count, usingDictionary: true)
  }

  /// Fills `target` exactly with the bytes of one zstd frame.
  func decompress(
    _ frame: [UInt8], into target: UnsafeMutableRawBufferPointer
  ) throws(LedgerError) {
    var failure: LedgerError?
    frame.withUnsafeBytes { source in
      do throws(LedgerError) {
        try decompress(source, into: target)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Fills `target` exactly with the bytes of one zstd frame.
  package func decompress(
    _ frame: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    usingDictionary: Bool = false
  ) throws(LedgerError) {
    let written: Int
    if usingDictionary {
      let dictionary = try decompressionDictionaryLoaded()
      written = ZSTD_decompress_usingDDict(
        decompressor, target.baseAddress, target.count, frame.baseAddress, frame.count, dictionary)
    } else {
      written = ZSTD_decompressDCtx(
        decompressor, target.baseAddress, target.count, frame.baseAddress, frame.count)
    }
    guard ZSTD_isError(written) == 0 else {
      throw LedgerError(
        .damaged, "cannot decompress \(frame.count) bytes",
        cause: String(cString: ZSTD_getErrorName(written)))
    }
    guard written == target.count else {
      throw LedgerError(
        .damaged, "compressed bytes hold \(written) bytes, expected \(target.count)")
    }
  }

  /// Whether a frame of `stored` bytes can hold `raw` bytes: zstd cannot expand by more, so that what claims more would
  /// only ask for memory that its bytes could never fill.
  package static func canExpand(_ stored: Int, to raw: Int) -> Bool {
    raw <= 64 || (raw - 64) / 40_000 <= stored
  }

  /// Whether a frame of `raw` bytes can have taken `stored` bytes: what does not compress hardly grows.
  package static func canShrink(_ raw: Int, to stored: Int) -> Bool {
    stored <= 512 || stored - 512 <= raw + raw / 128
  }

  private func compressionDictionary(level: Int32) throws(LedgerError) -> OpaquePointer {
    if let dictionary = dictionaries[level] { return dictionary }
    let bytes = FormatDictionary.bytes
    guard let dictionary = ZSTD_createCDict(bytes, bytes.count, level) else {
      throw LedgerError(.io, "cannot set up compression", cause: "out of memory")
    }
    dictionaries[level] = dictionary
    return dictionary
  }

  private func decompressionDictionaryLoaded() throws(LedgerError) -> OpaquePointer {
    if let decompressionDictionary { return decompressionDictionary }
    let bytes = FormatDictionary.bytes
    guard let dictionary = ZSTD_createDDict(bytes, bytes.count) else {
      throw LedgerError(.io, "cannot set up decompression", cause: "out of memory")
    }
    decompressionDictionary = dictionary
    return dictionary
  }
}
