/// The words that task texts are made of: a shared house, a workshop, a small theatre, a lab.
enum Vocabulary {
  static let verbs = WordList(
    "Fix|Buy|Call|Check|Bring|Clean|Order|Ask about|Write up|Label|Return|Measure|Oil|Pack|Count|"
      + "Collect|Sharpen|Print|Fetch|Weigh|Sew|Sand|Rehearse|Hang|Tidy|Test|Unpack|Glue|Copy|"
      + "Sketch|Charge|Borrow|Reserve|Solder|Calibrate|Prune|Defrost|Wrap|Tune|Rewire|Inspect|"
      + "Varnish|Photograph|Translate|Swap|Post|Look for|Vérifier|Réserver|Bestätigen|Añadir")

  static let qualities = WordList(
    "old|new|spare|small|red|left|long|second|borrowed|cracked|wooden|last|blue|rusty|half-empty|"
      + "noisy|tall|copper|loose|yearly|missing|folding|narrow|muddy|unsigned|brass|wet|double|"
      + "grün|déjà-vu|zweite|última|worn|cold|velvet|plain")

  static let things = WordList(
    "kettle|ladder|receipts|front door key|paint|stage lamp|script|bicycle pump|apples|curtain rod|"
      + "rye flour|map|samples|lens cloth|oven glove|props list|poster|seat plan|microphone|fuse box|"
      + "drill bits|beeswax|rope|honey jars|wheelbarrow|seed trays|hinges|thermometer|lab notebook|"
      + "pipettes|gas bottle|scale|cable reel|costume rack|ticket roll|violin case|stove|hallway rug|"
      + "lantern|mailbox|fire extinguisher|first-aid kit|window putty|chess clock|projector|"
      + "tool chest|workbench|vice|clamps|sandpaper|saw blade|boots|umbrella stand|tea towels|"
      + "bread knife|jam sugar|walnuts|cider press|chimney brush|storm shutters|roof tiles|drainpipe|"
      + "rain barrel|pear tree|strawberry bed|bee smoker|hen house|fence post|garden gate|hammock|"
      + "tent pegs|sleeping mats|canoe paddle|life vest|headlamp|compass|field guide|binoculars|"
      + "weather station|solar panel|battery bank|water meter|radiator valve|boiler|heat pump|"
      + "insulation|door seal|lease|inventory|guest list|minutes of the meeting|budget table|"
      + "grant proposal|poster session|data logger|centrifuge|microscope slide|freezer alarm|"
      + "reagent order|safety sheet|patch panel|router|spare disk|certificate|release checklist|"
      + "parser test|query plan|nightly job|dashboard|alert rule|schema note|changelog entry|"
      + "crème fraîche|jalapeños|piñón|Öl-Kännchen|smørrebrød|café filter|façade photo|fiancé's suit|"
      + "Weißwein|žemlovka|pão de queijo|gözleme|labels for the D:\\ drive|C:\\stage\\cues")

  static let links = WordList("for|with|from|before|near|behind|to|under|after|at")

  static let others = WordList(
    "Ada|Bruno|the lab|the stage crew|Chiara|the cellar|the neighbours|Dorothée|Emre|the workshop|"
      + "the front row|Fatoumata|Gísli|the allotment|the choir|Hélène|Ivo|the night shift|Jörg|"
      + "the ticket office|Květa|the upper floor|Lucía|the council|Márton|the landlady|Nuño|Olga|"
      + "the ferry|Paweł|the school|Quentin|the boat shed|Rósa|Šimon|the archive|Thijs|the clinic|"
      + "Ümit|the insurer|Väinö|the hardware shop|Wanjiku|the print shop|Xenia|the market hall|Yusuf|"
      + "the dress rehearsal|Zdeněk|the open day|the harvest party|the field trip|Malmö|Besançon|"
      + "Łódź|Gdańsk|Évora|Düsseldorf|Tromsø|Kópavogur")

  static let moments = WordList(
    "today|tomorrow|this week|on Friday|before dusk|on Monday|next week|after lunch|at 8:15|"
      + "in the morning|by the 15th|this month|on Sunday|when it is dry|at 19:30|once a month|"
      + "before the frost|after the show|every second day|in spring")

  static let symbols = WordList("🔧|🎭|🍎|🔬|🐝|🪜|📦|⚡|🌧️|🧵|🎻|🛶|👨‍🔬|🪴")

  static let phrases = WordList(
    "水やりをする|部屋を片付ける|買物に行く|整理实验室|修理屋顶|给奶奶打电话|舞台の掃除|切符の手配|准备排练|校准天平|"
      + "화분에 물 주기|대본 읽기|자전거 수리|買新的灯泡|検査結果の確認|写实验记录|荷物を送る|清点库存|열쇠 찾기|換電池")

  static let phraseEnds = WordList(
    "（午後まで）|（下周一）|（至急）| – 오늘|、忘れずに|，谢谢！| – 明日の朝| (금요일)")

  static let tags = WordList(
    "house|stage|lab|garden|shop|money|calls|urgent|winter|books|repair|guests|travel|waiting|"
      + "later|código|実験|gemeinsam")

  static let authors = WordList(
    "mira|otto|priya|stellan|amara|jun|beatriz|kwame|noor|tadeusz|lin|vera")
}
