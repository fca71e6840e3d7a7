/// What the help of several verbs says about queries.
enum QueryHelp {
  static let details = [
    "QUERY is a condition on fields, one word for the shell: put it in single quotes. Comparisons are == != < <= > >=; && "
      + "|| ! and brackets join them; a field alone asks whether it is true. Further: field in [1, 2], contains(field, x), "
      + "starts_with(field, x), ends_with(field, x), regex(field, \"pattern\"), field == null. Text stands in either "
      + "quotes; a path is tags.home or [\"odd key\"]; dates compare as dates. Text from elsewhere comes as an argument: "
      + "$name in the query, --arg name=VALUE beside it.",
    "$today, $tomorrow, $yesterday and weekdays such as $fri (the next one after today) stand for days of your own time zone, as "
      + "text such as \"2026-12-24\": due < $tomorrow is what is due today, or was. Days are counted from "
      + "there, or weeks, months and years: $today+7, $today-1, $fri+2w, $today+1m, $today-1y. --arg today=VALUE says otherwise.",
  ]
}
