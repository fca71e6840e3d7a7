/// The dictionary with which single frames are compressed: part of format version 1, never changed, never
/// trained on anyone's data. The most likely bytes stand last, where zstd reaches them with the shortest offsets.
package enum FormatDictionary {
  package static let bytes: [UInt8] = Array(text.utf8)

  private static let text = """
    waiting for review blocked by customer release candidate documentation migration security \
    performance investigate implement refactor configure deploy monitor database backend frontend \
    interface integration regression dependency environment production staging development \
    customer support invoice payment subscription account password certificate contract meeting \
    conference presentation newsletter marketing campaign feedback interview onboarding \
    appointment reservation passport insurance grocery shopping kitchen bathroom bedroom garden \
    garage birthday holiday weekend january february march april may june july august september \
    october november december monday tuesday wednesday thursday friday saturday sunday tomorrow \
    today tonight next week this week before after about with from into over under \
    \u{e4}\u{f6}\u{fc}\u{df} \u{e9}\u{e8}\u{e0}\u{e7} \u{f1}\u{ed}\u{f3} the and for that \
    https://www. http:// .com/ .org/ issues/ pull/ @gmail.com #1 (1) [x] - * \
    closed hooked in progress open done todo waiting someday blocked high medium low urgent bug \
    feature chore epic task question duplicate wontfix invalid fixed resolved cancelled \
    Write Read Send Call Ask Check Fix Update Review Plan Book Buy Get Pay Clean Repair Prepare \
    Finish Order Print Email Discuss Draft Schedule Renew Return Cancel Test Build Move Pick up \
    2026-01-01 2026-02-01 2026-03-15 2026-04-30 2026-05-01 2026-06-30 2026-07-31 2026-08-15 \
    2027-01-01 2027-12-31 2025-12-31 2024-11-30T12:00:00.000Z \
    milk bread coffee report letter notes draft list plan order ticket tickets room door \
    home work errand health finance travel family school code release reading urgent \
    \u{05}estimate\u{05}comment\u{05}reminder\u{05}location\u{05}contact\u{05}links\u{05}parent\
    \u{05}dependsOn\u{05}createdAt\u{05}updatedAt\u{05}completedAt\u{05}startAt\u{05}recurrence\
    \u{05}context\u{05}category\u{05}description\u{05}title\u{05}name\u{05}color\u{05}position\
    closeReason\u{05}assignee\u{05}design\u{05}notes\u{05}type\u{05}project\u{05}status\u{05}\
    tags.home\u{02}tags.work\u{02}tags\u{06}due\u{05}\u{14}priority\u{03}\u{02}\
    isDeleted\u{01}isDeleted\u{02}isCompleted\u{02}isCompleted\u{01}\
    \u{04}body\u{05}\u{0b}isCompleted\u{01}\u{09}isDeleted\u{01}\u{04}tags\u{06}\u{08}priority\u{03}\
    \u{01}\u{0b}isCompleted\u{02}\u{01}\u{0b}isCompleted\u{01}\u{01}\u{09}isDeleted\u{02}\u{01}\u{04}body\u{05}
    """
}
