package forms

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A date is shown and understood in the ISO form, 2026-06-15, and in one local
// form a language that names the month or marks the parts, so that no two
// readings exist: "Monday 15 June 2026", "2026年6月15日 星期一". Forms such as
// 03/04/2026 are refused: they are two different days.

var (
	isoDate     = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)
	englishDate = regexp.MustCompile(`^(?:([A-Za-z]+),? )?([0-9]{1,2}) ([A-Za-z]+) ([0-9]{4})$`)
	chineseDate = regexp.MustCompile(`^([0-9]{1,4})年([0-9]{1,2})月([0-9]{1,2})日(?: ?(?:星期|周)([一二三四五六日天]))?$`)
)

// ParseDate reads a date in the ISO form or in any form that FormatDate shows
// and gives it as midnight UTC. A weekday, if there is one, must be right.
func ParseDate(typed string) (time.Time, bool) {
	s := strings.TrimSpace(ascii(typed))
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return calendarDay(m[1], number(m[2]), m[3])
	}
	if m := englishDate.FindStringSubmatch(s); m != nil {
		day, ok := calendarDay(m[4], englishMonth(m[3]), m[2])
		return day, ok && (m[1] == "" || strings.EqualFold(m[1], day.Weekday().String()))
	}
	if m := chineseDate.FindStringSubmatch(s); m != nil {
		day, ok := calendarDay(m[1], number(m[2]), m[3])
		weekday := strings.Replace(m[4], "天", "日", 1)
		return day, ok && (weekday == "" || weekday == chineseWeekdays[day.Weekday()])
	}
	return time.Time{}, false
}

// calendarDay checks that a day exists in the (proleptic) Gregorian calendar.
func calendarDay(year string, month int, day string) (time.Time, bool) {
	y, d := number(year), number(day)
	t := time.Date(y, time.Month(month), d, 0, 0, 0, 0, time.UTC)
	return t, t.Year() == y && int(t.Month()) == month && t.Day() == d
}

// number reads digits that a regular expression has bounded.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

// englishMonth is the number of a month's English name or its first three
// letters, 0 for anything else.
func englishMonth(name string) int {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(name, m.String()) || strings.EqualFold(name, m.String()[:3]) {
			return int(m)
		}
	}
	return 0
}

var chineseWeekdays = [...]string{"日", "一", "二", "三", "四", "五", "六"}

// FormatDate shows the day of t in words, in one of the app's languages
// (i18n.Languages). ParseDate understands it.
func FormatDate(t time.Time, lang string) string {
	if strings.HasPrefix(lang, "zh") {
		return fmt.Sprintf("%d年%d月%d日 星期%s", t.Year(), t.Month(), t.Day(), chineseWeekdays[t.Weekday()])
	}
	return fmt.Sprintf("%s %d %s %04d", t.Weekday(), t.Day(), t.Month(), t.Year())
}

// FormatDateISO is the form in which a date is sent (RFC 3339 full-date).
func FormatDateISO(t time.Time) string { return t.Format("2006-01-02") }
